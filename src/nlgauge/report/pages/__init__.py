"""Show results as HTML pages that need nothing beside them."""
