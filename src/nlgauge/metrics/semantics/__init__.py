"""Metrics that compare who did what to whom."""
