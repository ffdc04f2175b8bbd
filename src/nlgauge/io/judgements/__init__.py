"""Read human judgements, with one module for each format."""
