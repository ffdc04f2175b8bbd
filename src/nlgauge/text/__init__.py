"""Normalise text and split it into words."""
