"""Take a run from systems and metrics to a table of scores, and compare systems."""
