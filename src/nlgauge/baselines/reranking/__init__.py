"""Rerank n-best lists by a log-linear model that selects its features."""
