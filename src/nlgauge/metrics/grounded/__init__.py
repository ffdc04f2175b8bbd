"""Metrics that compare texts with their source: documents, queries, tables."""
