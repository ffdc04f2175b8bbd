"""Models of annotators: who is reliable, and what the label of an output probably is."""
