"""Explanations of single segments as text, HTML and tables."""
