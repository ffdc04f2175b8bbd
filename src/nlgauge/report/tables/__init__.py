"""Show results as tables, in every format that a command prints."""
