"""Predictors say what people would say of a text whose features are known."""
