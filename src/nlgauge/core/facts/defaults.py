"""The numbers that functions and commands take where none is given.

The module imports nothing, so that a command can name its defaults without loading the library.
"""

SEED = 12345  # of sacreBLEU
RESAMPLES = 1000  # of a bootstrap
TRIALS = 10_000  # of a randomisation test
PERMUTATIONS = 1000  # of a test between metrics
GROUPINGS = 10_000  # of outputs into random groups
CONFIDENCE = 0.95  # of an interval
ALPHA = 0.05  # the level below which a difference is significant
