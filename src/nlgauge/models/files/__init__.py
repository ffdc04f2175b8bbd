"""Find the files that models are read from, check their hashes, and validate them."""
