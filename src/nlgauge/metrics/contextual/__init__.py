"""Metrics that compare vectors of words in their context."""
