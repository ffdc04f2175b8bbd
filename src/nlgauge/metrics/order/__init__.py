"""Word order."""
