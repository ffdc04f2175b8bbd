"""Maximal marginal relevance (Carbonell and Goldstein, 1998) as in Murray et al. (2005, section
2.1).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlgauge.baselines.document import Document, Length, Summary, cosine
from nlgauge.errors import SpecError

AT_FIRST, AT_LAST = 1.0, 0.3  # λ; the paper anneals it but does not say how


def mmr(
    document: str | Sequence[str],
    *,
    length: Length | None = None,
    annealing: tuple[float, float] = (AT_FIRST, AT_LAST),
    stop: str = "smart",
) -> Summary:
    """Summarise by taking, each time, the sentence with the highest λ·cos(sentence, document) − (1
    − λ)·cos(sentence, summary so far), where both are mean vectors; the first of equals. λ goes in
    even steps from the first to the last value of `annealing` as the summary grows to its length.
    """
    if not all(0 <= value <= 1 for value in annealing):
        raise SpecError(f"annealing={annealing}: λ lies between 0 and 1")
    read, length = Document.build(document, stop=stop), length or Length()
    if not read.sentences:
        return read.summary([], length)
    relevance = cosine(read.vectors, read.vectors.mean(axis=0))
    every = range(len(read.sentences))
    picked: list[int] = []
    while left := [i for i in every if i not in picked and read.fits(i, picked, length)] or (
        [] if picked else list(every)  # too long as they all may be, one is needed
    ):
        weight = annealing[0] + (annealing[1] - annealing[0]) * _grown(read, picked, length)
        scores = weight * relevance[left]
        if picked:
            scores -= (1 - weight) * cosine(read.vectors[left], read.vectors[picked].mean(axis=0))
        picked.append(left[int(np.argmax(np.round(scores, 12)))])
    return read.summary(picked, length)


def _grown(read: Document, picked: Sequence[int], length: Length) -> float:
    """Return how far the summary has come: 0 at its first sentence, 1 at its last."""
    if length.words is not None:
        return min(sum(read.lengths[i] for i in picked) / length.words, 1)
    return len(picked) / max(read.most(length) - 1, 1)
