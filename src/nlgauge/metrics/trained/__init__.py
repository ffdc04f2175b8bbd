"""Metrics whose parameters were fitted to judgements."""
