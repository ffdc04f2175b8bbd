"""Against the source: documents, queries, tables."""
