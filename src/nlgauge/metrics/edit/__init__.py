"""Metrics that count the edits between the words of two texts."""
