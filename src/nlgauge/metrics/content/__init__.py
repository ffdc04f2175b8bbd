"""Content units: nuggets, summary content units, factoids; and similarities of summaries."""
