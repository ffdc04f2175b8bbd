"""Metrics that compare trees: dependencies, constituents, scene graphs."""
