"""Make the tables of results about metrics: their agreement with people, robustness, models."""
