"""What a pair of texts was compared by, for `nlgauge explain`: best cosines, and flows."""

from __future__ import annotations

import numpy as np

from nlgauge.explain import builders
from nlgauge.explain.traces import TokenSimilarities
from nlgauge.kernels import Floats, transport
from nlgauge.metrics.embedding.embedded import WordPair


def best_cosines(pair: WordPair) -> TokenSimilarities:
    """Show each word and the one of the other text that it is most similar to."""
    cosines = _spread(pair, pair.cosines())
    return TokenSimilarities(
        hyp=tuple(pair.hyp),
        ref=tuple(pair.ref),
        matrix=cosines,
        matches=builders.greedy(cosines),
        measure="cosine",
    )


def flows(pair: WordPair, *, unit: bool) -> TokenSimilarities:
    """Show how much of every word goes where, and how far that is."""
    costs = pair.distances(unit=unit)
    moved = np.zeros(costs.shape)
    if costs.size:
        left, right = (np.ones(side) for side in costs.shape)
        _, (moved,) = transport([left], [right], [costs], flows=True)
    return TokenSimilarities(
        hyp=tuple(pair.hyp),
        ref=tuple(pair.ref),
        matrix=_spread(pair, costs),
        matches=builders.transport(np.nan_to_num(_spread(pair, moved))),
        measure="distance",
        distance=True,
    )


def _spread(pair: WordPair, values: Floats) -> Floats:
    """Return the values of the words that count, in a matrix of all words; NaN for those that do
    not.
    """
    whole = np.full((len(pair.hyp), len(pair.ref)), np.nan)
    whole[np.ix_(*pair.known())] = values
    return whole
