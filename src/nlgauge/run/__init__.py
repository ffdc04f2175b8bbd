"""A run from systems and metrics to a table of scores, and comparisons of systems."""
