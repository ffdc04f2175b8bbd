"""Intervals that hold at every look at growing data, not only at one fixed in advance."""
