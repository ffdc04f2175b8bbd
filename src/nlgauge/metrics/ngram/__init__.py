"""Metrics that count the word n-grams that texts share."""
