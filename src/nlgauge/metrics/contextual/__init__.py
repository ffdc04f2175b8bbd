"""Metrics on vectors of words in their context."""
