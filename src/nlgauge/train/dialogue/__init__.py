"""Fit the models of metrics that look at dialogues."""
