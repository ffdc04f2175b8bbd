"""Sums and counts of parts of a corpus that merge without rounding."""
