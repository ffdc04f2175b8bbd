"""The metrics that `nlgauge train` fits to judged outputs, and what each learns.

The module imports nothing, so that the command can list them without loading the library.
"""

TRAINABLE = {
    "beer": "the weights of matched characters, words and word order, from ranks or ratings",
    "blend": "a support vector regression over the scores of many metrics",
    "gauge": "our own metric of metrics, matches of vectors and networks",
}
