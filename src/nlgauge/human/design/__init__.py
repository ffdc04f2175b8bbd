"""Who judges what, in which order: designs that are balanced, drawn by lot, and checked."""
