"""Read outputs and references, with one module for each format."""
