"""The cells of the survey's taxonomy of metrics (Sai et al., 2022, section 4), in codes and words.

`Info.cell` has the code: whether a metric sees the context of a text (CD) or not (CF), whether it
is trained (T) or not (U), and what it compares. Users get to see the words.
"""

from __future__ import annotations

from nlgauge.errors import SpecError

_CONTEXT = {"CF": "context-free", "CD": "context-dependent"}
_TRAINING = {"U": "untrained", "T": "trained"}
_KIND = {
    "word-ngram": "word n-grams",
    "word-edit": "word edit distance",
    "word-other": "other comparisons of words",
    "char": "characters",
    "static-emb": "static embeddings",
    "ctx-emb": "contextual embeddings",
    "feature": "features",
    "e2e": "end to end",
}
# What the survey does not place.
_OUTSIDE = {
    "human-annotated": "annotations by people",
    "human-judged": "judgements by people",
    "similarity": "similarity of two summaries",
}
CELLS = _OUTSIDE | {
    f"{context}·{training}·{kind}": ", ".join((_CONTEXT[context], _TRAINING[training], _KIND[kind]))
    for context in _CONTEXT
    for training in _TRAINING
    for kind in _KIND
}


def cell_words(cell: str) -> str:
    """Return a cell spelled out, such as "context-free, untrained, word n-grams"."""
    return CELLS.get(cell, cell)


def check_cell(metric: str, cell: str) -> None:
    """Refuse a cell of a metric that is no code of the taxonomy; an empty one says nothing."""
    if cell and cell not in CELLS:
        raise SpecError(
            f"{metric}: cell: {cell!r} is not of the form CF·U·word-ngram: "
            f"{' or '.join(_CONTEXT)}, {' or '.join(_TRAINING)}, and one of {', '.join(_KIND)}; "
            f"or {', '.join(_OUTSIDE)}"
        )
