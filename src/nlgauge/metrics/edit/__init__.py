"""Word edit distance."""
