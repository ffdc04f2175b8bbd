"""The metrics, one file each, by family."""
