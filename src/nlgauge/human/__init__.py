"""What people said about outputs: ratings, labels and comparisons."""
