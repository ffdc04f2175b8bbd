"""Metrics that compare dependency trees."""
