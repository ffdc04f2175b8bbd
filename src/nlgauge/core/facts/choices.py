"""The words that arguments of functions and options of commands choose among.

They stand apart from what they choose, so that a command can list them without loading it.
"""

from typing import Literal

Points = Literal["system", "segment"]

# sacreBLEU's paired-ar and paired-bs are the two tests before them without ties.
PairedTest = Literal[
    "randomisation",
    "bootstrap-shift",
    "paired-ar",
    "paired-bs",
    "t",
    "wilcoxon",
    "poisson",
    "poisson-segments",
]
Correction = Literal["none", "sidak", "bonferroni", "holm", "benjamini-hochberg"]
BootstrapInterval = Literal["percentile", "bca", "poisson", "none"]

ValueScale = Literal["auto", "nominal", "ordinal", "interval", "ratio"]
Deviation = Literal["population", "sample"]
TieModel = Literal["davidson", "half"]
AnnotatorModelName = Literal["dawid-skene", "mace"]
Boundary = Literal["mixture", "betting"]
RatingKind = Literal["continuous", "likert", "binary", "pairwise"]
Combination = Literal["mean", "sum"]
MeasuredCorrelation = Literal["pearson", "spearman"]
PerturbedTexts = Literal["references", "system"]

Baseline = Literal["mmr", "lsa", "lead", "random"]
WrongSentences = Literal["hardest", "random"]
RealiserMethod = Literal["fergus", "lr", "tree-lr"]
UnknownWords = Literal["shape", "refuse"]
FeatureBased = Literal["fb1", "fb2"]
CovarianceShape = Literal["diag", "full"]
TopicRule = Literal["allocate", "one-per-topic", "score"]
