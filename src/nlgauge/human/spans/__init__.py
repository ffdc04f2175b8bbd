"""Compare errors that were marked in texts, by people and by judges."""
