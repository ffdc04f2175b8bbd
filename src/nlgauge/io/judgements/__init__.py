"""Readers of human judgements, one module per format."""
