"""The pages of a study: what annotators and its owner see in a browser."""
