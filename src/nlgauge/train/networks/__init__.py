"""Train networks by torch, which is imported by this package alone."""
