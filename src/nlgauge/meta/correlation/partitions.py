"""Partition smoothing (Dorr et al., 2005, section 5.1): outputs are put into random groups of equal
size, metric and ratings averaged in each group, and the averages correlated; many times over.

The representative partition is the one whose human averages deviate least from the mean of all
ratings, by mean squared error.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlgauge.core.facts.defaults import CONFIDENCE, GROUPINGS, SEED
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.meta.correlation.levels import ScoredJudgements
from nlgauge.stats.correlation import pearson
from nlgauge.stats.weighted import rowwise

_BLOCK = 1 << 22


@dataclass(frozen=True, eq=False)
class Partitions:
    """Pearson's correlations of one metric are given over random partitions."""

    metric: str
    part: str
    criterion: str
    size: int
    points: int
    correlations: Floats  # [partitions]
    representative: float  # the correlation in the representative partition
    representative_points: Floats  # [2, points] its averages: metric, human

    @property
    def mean(self) -> float:
        """Return the mean of the correlations."""
        return float(np.nanmean(self.correlations))

    def span(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the range within which the correlations lie with this confidence."""
        tail = (1 - confidence) / 2
        low, high = np.nanquantile(self.correlations, [tail, 1 - tail])
        return float(low), float(high)


def partitions(
    rated: ScoredJudgements, size: int, *, draws: int = GROUPINGS, seed: int = SEED
) -> list[Partitions]:
    """Return one entry per metric, all over the same partitions; outputs that are left over when
    groups are full are left out.
    """
    known = np.flatnonzero(~np.isnan(rated.human))
    points = known.size // size if size > 0 else 0
    if points < 3:
        raise SpecError(
            f"partition size {size}: {known.size} rated outputs make {points} groups; at least 3 "
            "are needed"
        )
    rng = np.random.default_rng(seed)
    human, metrics = rated.human[known], rated.metrics[:, known]
    correlations = np.empty((len(metrics), draws))
    best, best_error = np.empty(0, np.intp), np.inf
    step = max(1, _BLOCK // known.size)
    for start in range(0, draws, step):
        n = min(step, draws - start)
        order = rng.permuted(np.tile(np.arange(known.size), (n, 1)), axis=1)
        order = order[:, : points * size].reshape(n, points, size)
        people = human[order].mean(axis=2)
        errors = ((people - human.mean()) ** 2).mean(axis=1)
        if errors.min() < best_error:
            best, best_error = order[errors.argmin()], errors.min()
        for m, x in enumerate(metrics):
            correlations[m, start : start + n] = rowwise("pearson", x[order].mean(axis=2), people)
    people = human[best].mean(axis=1)
    averages = [x[best].mean(axis=1) for x in metrics]
    return [
        Partitions(
            metric=name,
            part=rated.part,
            criterion=rated.criterion,
            size=size,
            points=points,
            correlations=values,
            representative=pearson(x, people),
            representative_points=np.stack([x, people]),
        )
        for name, values, x in zip(rated.names, correlations, averages, strict=True)
    ]
