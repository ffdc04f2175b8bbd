"""Fitting the models that trained metrics use."""
