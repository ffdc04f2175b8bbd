"""Find word vectors, and read the files that hold them."""
