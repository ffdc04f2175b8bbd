"""Test texts with pytest: the fixture `nlgauge`, loaded by pytest as a plugin."""
