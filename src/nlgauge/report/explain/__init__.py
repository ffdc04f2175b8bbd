"""Show explanations of single segments as text, as HTML and as tables."""
