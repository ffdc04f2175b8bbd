"""Read the files in which others publish their data sets."""
