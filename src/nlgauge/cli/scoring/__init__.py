"""Run the commands that score and compare outputs."""
