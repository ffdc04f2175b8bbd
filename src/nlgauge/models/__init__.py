"""Lexicons and other models: loaded when first used, without metric logic."""
