"""Show results as people and programs read them: tables, figures, pages and pictures."""
