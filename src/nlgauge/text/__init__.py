"""Normalising and tokenising text."""
