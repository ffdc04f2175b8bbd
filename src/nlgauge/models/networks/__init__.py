"""Small networks that trained metrics run on the vectors of an encoder."""
