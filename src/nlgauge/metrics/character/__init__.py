"""Metrics that compare texts character by character."""
