"""Language models that are asked for judgements, over a server that the user names."""
