"""Contextual encoders, which give every piece of a text a vector."""
