"""Stores that keep parses and embeddings for further metrics and runs."""
