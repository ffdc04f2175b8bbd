"""Word n-gram overlap."""
