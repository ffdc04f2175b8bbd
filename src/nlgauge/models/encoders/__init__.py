"""Encode texts in context: every piece of a text gets a vector."""
