"""Latent semantic analysis (Gong and Liu, 2001) as in Murray et al. (2005, section 2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import numpy as np
import numpy.typing as npt

from nlgauge.baselines.document import Document, Length, Summary
from nlgauge.core.facts.choices import TopicRule
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats


def lsa(
    document: str | Sequence[str],
    *,
    length: Length | None = None,
    rule: TopicRule = "allocate",
    dimensions: int = 300,
    stop: str = "smart",
) -> Summary:
    """Summarise by sentences of the topics that a singular value decomposition finds.

    `allocate`: each topic gives as many sentences as its singular value's share of all tells, by
    largest remainder; `one-per-topic`: one each, the original rule; `score`: those with the highest
    `scores`. Within a topic the highest entries win; its sign, which is arbitrary, is such that the
    entry of largest absolute value, the first of equals, is positive.
    """
    if rule not in get_args(TopicRule):
        raise SpecError(f"rule={rule}: there are {', '.join(get_args(TopicRule))}")
    read, length = Document.build(document, stop=stop), length or Length()
    if not read.sentences:
        return read.summary([], length)
    topics, values = decompose(read.vectors, dimensions)
    if rule == "score":
        order = _ranking(scores(topics, values)).tolist()
    else:
        size = read.most(length)
        shares = np.ones(len(values), np.intp)
        if rule == "allocate":
            shares = allocation(values, _expected(read, length) if length.words else size)
        order = _take(topics, shares)
    return read.summary(order, length)


def decompose(vectors: Floats, dimensions: int = 300) -> tuple[Floats, Floats]:
    """Return topics [topics, sentences] and singular values; topics without weight are left out."""
    if dimensions < 1:
        raise SpecError(f"dimensions={dimensions}: there must be one at least")
    if not vectors.size:
        return np.ones((1, len(vectors))), np.ones(1)
    _, values, rows = np.linalg.svd(vectors.T, full_matrices=False)
    kept = min(dimensions, max(1, int((values > values[0] * 1e-10).sum())))
    rows = rows[:kept]
    largest = np.argmax(np.round(np.abs(rows), 10), axis=1)
    return rows * np.sign(rows[np.arange(kept), largest])[:, None], values[:kept]


def scores(topics: Floats, values: Floats) -> Floats:
    """Return √Σ_k v(i, k)² σ(k)² of each sentence i (Steinberger and Ježek, 2004)."""
    result: Floats = np.sqrt(((topics * values[:, None]) ** 2).sum(axis=0))
    return result


def allocation(values: Floats, size: int) -> npt.NDArray[np.intp]:
    """Allot `size` sentences to topics in proportion to their values, by largest remainder."""
    quotas = size * values / values.sum()
    shares: npt.NDArray[np.intp] = np.floor(quotas + 1e-9).astype(np.intp)
    remainders = np.round(quotas - shares, 9)
    shares[np.argsort(-remainders, kind="stable")[: size - int(shares.sum())]] += 1
    return shares


def _expected(read: Document, length: Length) -> int:
    """Estimate how many sentences a summary limited in words will have."""
    words = sum(read.lengths) or 1
    return max(1, round((length.words or 0) * len(read.sentences) / words))


def _ranking(values: Floats) -> npt.NDArray[np.intp]:
    """Rank from the highest; the first of equals, where rounding does not make a difference."""
    order: npt.NDArray[np.intp] = np.argsort(-np.round(values, 10), kind="stable")
    return order


def _take(topics: Floats, shares: npt.NDArray[np.intp]) -> list[int]:
    """Take, topic by topic, the sentences not taken yet; then all others, one topic after the
    other, so that any length can be reached.
    """
    order: dict[int, None] = {}
    rankings = [_ranking(topic).tolist() for topic in topics]
    for ranking, share in zip(rankings, shares, strict=True):
        new = [i for i in ranking if i not in order]
        order.update(dict.fromkeys(new[:share]))
    for k in range(len(rankings[0])):
        order.update(dict.fromkeys(ranking[k] for ranking in rankings))
    return list(order)
