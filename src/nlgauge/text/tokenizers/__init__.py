"""Tokenisers written in Python, one module each; `nlgauge.text.preparation` lists all."""
