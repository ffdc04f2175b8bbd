"""Metrics that compare the order of words."""
