"""Metrics that count content units, such as nuggets and factoids, or compare summaries."""
