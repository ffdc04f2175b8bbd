"""Files that models are read from: found, checked against their hashes, and validated."""
