"""Summarise by features of sentences that extracts were learnt from (Murray et al., 2005)."""
