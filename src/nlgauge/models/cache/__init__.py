"""Keep parses and embeddings for further metrics and runs."""
