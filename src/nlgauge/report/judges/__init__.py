"""Show what judges take, how they behave, and the errors that they and people mark."""
