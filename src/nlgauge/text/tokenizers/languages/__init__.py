"""Split and rewrite texts of single languages."""
