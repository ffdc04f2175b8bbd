"""Fit the models that trained metrics use."""
