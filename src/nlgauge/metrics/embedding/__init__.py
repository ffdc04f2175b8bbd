"""Metrics on static word vectors."""
