"""Readers of outputs and references, one module per format."""
