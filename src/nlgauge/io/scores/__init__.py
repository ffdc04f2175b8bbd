"""Read and write scores that exist already."""
