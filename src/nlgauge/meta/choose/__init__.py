"""Which metric to use: recommendations, the evaluation plane, models of several metrics."""
