"""Metrics that ask a language model how probable a text is."""
