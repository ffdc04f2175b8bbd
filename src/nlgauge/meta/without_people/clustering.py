"""Metrics grouped by how alike they behave: a tree of merges, as a dendrogram draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nlgauge.core.outputs import OutputScores
from nlgauge.data.labels import Codes
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats
from nlgauge.stats.correlation import CORRELATIONS, Correlation

Linkage = Literal["average", "complete", "single"]


@dataclass(frozen=True, eq=False, kw_only=True)
class ClusterTree:
    """A tree shows the agglomerative clustering of things that have names.

    Each row of `merges` is a step, closest first: the two parts, the distance at which they join,
    and the number of leaves below. Parts 0 to n−1 are the leaves, part n+i is what step i made.
    """

    names: tuple[str, ...]
    distances: Floats  # [n, n]
    merges: Floats  # [n - 1, 4], as SciPy's linkage
    order: tuple[int, ...]  # the leaves from left to right, without crossing lines

    def groups(self, count: int) -> list[tuple[int, ...]]:
        """Return the leaves of each of `count` clusters, in the order of the leaves' numbers; all
        leaves alone if there are no more than that.
        """
        if count < 1:
            raise SpecError(f"clusters={count}: must be at least 1")
        parts: dict[int, tuple[int, ...]] = {i: (i,) for i in range(len(self.names))}
        for step, (a, b, *_) in enumerate(self.merges):
            if len(parts) <= count:
                break
            parts[len(self.names) + step] = tuple(sorted(parts.pop(int(a)) + parts.pop(int(b))))
        return sorted(parts.values())


def dendrogram(
    names: Sequence[str], distances: Floats, *, linkage: Linkage = "average"
) -> ClusterTree:
    """Build a tree of merges from a symmetric matrix of distances."""
    n = len(names)
    if distances.shape != (n, n):
        raise DataError(f"distances of shape {distances.shape} for {n} names")
    merges, order = np.zeros((0, 4)), np.arange(n)
    if n > 1:
        from scipy.cluster import hierarchy

        upper = distances[np.triu_indices(n, 1)]
        merges = hierarchy.linkage(upper, linkage, optimal_ordering=True)
        order = hierarchy.leaves_list(merges)
    return ClusterTree(
        names=tuple(names), distances=distances, merges=merges, order=tuple(_plain(order))
    )


def _plain(numbers: Codes) -> list[int]:
    listed: list[int] = numbers.tolist()
    return listed


def metric_correlations(scores: OutputScores, correlation: Correlation = "pearson") -> Floats:
    """Correlate the segment scores of every two metrics: [metrics, metrics]; NaN where
    undefined.
    """
    columns = [scores.segment_scores(name) for name in scores.names]
    correlate = CORRELATIONS[correlation]
    r = np.ones((len(columns), len(columns)))
    for i, x in enumerate(columns):
        for j, y in enumerate(columns[: i + 1]):
            r[i, j] = r[j, i] = correlate(x, y)
    return r


def cluster_metrics(
    scores: OutputScores,
    *,
    correlation: Correlation = "pearson",
    linkage: Linkage = "average",
    r: Floats | None = None,
) -> ClusterTree:
    """Cluster metrics by their segment scores, 1 − |r| apart; 1 where a correlation is undefined,
    as that of a constant. `r` are the correlations, if they are known already.
    """
    if r is None:
        r = metric_correlations(scores, correlation)
    distances = np.where(np.isnan(r), 1.0, 1 - np.abs(r))
    np.fill_diagonal(distances, 0)
    return dendrogram(scores.names, distances, linkage=linkage)
