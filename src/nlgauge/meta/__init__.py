"""Metrics measured: by what people said, and by what a metric should and should not notice."""
