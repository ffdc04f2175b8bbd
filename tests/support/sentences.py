"""Pairs of sentences that papers discuss: R is the reference, H the hypothesis."""

# Isozaki et al. (2010): the word order is wrong, the words are right.
R0 = "he was interested in world history because he read the book"
H0 = "he read the book because he was interested in world history"
R2, H2 = "the boy read the book", "the book was read by the boy"
# Banerjee and Lavie (2005).
R6, H6 = "the president then spoke to the audience", "the president spoke to the audience"
# Bangalore et al. (2000).
R7 = "there was no cost estimate for the second phase"
H7 = "there was estimate for phase the second no cost"
