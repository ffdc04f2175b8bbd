"""Parsers, and readers of parses that were made elsewhere."""
