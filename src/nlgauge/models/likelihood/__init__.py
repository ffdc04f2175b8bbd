"""Language models that say how probable the tokens of a text are, maybe given another text."""
