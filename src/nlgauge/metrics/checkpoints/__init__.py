"""Metrics that need the checkpoint of their authors, by path."""
