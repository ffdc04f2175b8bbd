"""Commands that score and compare outputs."""
