"""Metrics of dialogue, which look at what was said before."""
