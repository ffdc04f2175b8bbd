"""Metrics that compare static word vectors."""
