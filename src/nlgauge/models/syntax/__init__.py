"""Parse texts, or read parses that were made elsewhere."""
