"""Search weights of semantic roles that agree best with people, for MEANT and MEANT 2.0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats
from nlgauge.metrics.semantics.meant import MeantMetric
from nlgauge.metrics.semantics.structure import FIXED, GROUPS, RecalledRoles
from nlgauge.stats.correlation import pearson
from nlgauge.train.tuning.tuning_recipe import search_coordinates

GRID = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0)


@dataclass(frozen=True)
class TunedRoles:
    """This is the metric with its new weights, and Pearson's r with people before and after."""

    metric: MeantMetric
    before: float
    after: float
    tried: int  # settings


def tune_roles(
    metric: MeantMetric,
    corpus: Corpus,
    ratings: Sequence[float] | Floats,
    *,
    grid: Sequence[float] = GRID,
    threads: int = 1,
) -> TunedRoles:
    """Search the grid, one role after the other from the fixed weights on, until none of its values
    agrees better. Segments with the rating NaN do not count.
    """
    human = np.asarray(ratings, np.float64)
    if len(human) != len(corpus):
        raise DataError(f"{len(corpus)} segments, but {len(human)} ratings")
    if not any(value > 0 for value in grid) or min(grid) < 0:
        raise SpecError(f"grid {list(grid)}: expected numbers from 0 on, one above 0")
    metric.check_inputs(corpus)
    scores = _Scores(metric, corpus, threads)
    known = int((~np.isnan(human)).sum())
    if known < 3:
        raise DataError(f"{known} ratings; tuning needs 3 at least")

    def agreement(weights: Sequence[float]) -> float:
        found = pearson(scores(np.asarray(weights)), human)
        return 0.0 if np.isnan(found) else found

    # The predicate always counts.
    grids = [[v for v in grid if v > 0], *([grid] * (len(GROUPS) - 1))]
    before = agreement(FIXED)
    best, after, tried = search_coordinates(FIXED, grids, agreement)
    return TunedRoles(replace(metric, role_weights=tuple(best)), before, after, tried)


class _Scores:
    """This computes segment scores by role weights, from alignments that are made once."""

    def __init__(self, metric: MeantMetric, corpus: Corpus, threads: int) -> None:
        self.metric = metric
        state = metric.fitted(corpus)
        self.first = [0]
        self.flat: list[tuple[float, float]] = []  # what texts as a whole add
        own, other = _Stack(), _Stack()
        for hyp, *refs in metric.texts(corpus, state, threads=threads):
            for ref in refs:
                found = metric.compared(hyp, ref)
                if found is not None:
                    own.add(len(self.flat), found[0])
                    other.add(len(self.flat), found[1])
                self.flat.append(metric.flat(hyp, ref, framed=found is not None))
            self.first.append(len(self.flat))
        self.sides = own.done(len(self.flat)), other.done(len(self.flat))

    def __call__(self, weights: Floats) -> Floats:
        share = 1 - self.metric.sentence
        framed = np.stack([side.values(weights) for side in self.sides], axis=-1)
        values = self.metric.f(*(np.asarray(self.flat) + share * framed).T)
        best: Floats = np.maximum.reduceat(values, self.first[:-1])
        return best


class _Stack:
    """A stack holds the frames of all pairs of texts."""

    def __init__(self) -> None:
        self.parts: list[tuple[int, RecalledRoles]] = []

    def add(self, pair: int, side: RecalledRoles) -> None:
        self.parts.append((pair, side))

    def done(self, pairs: int) -> _Stack:
        empty = np.zeros((0, len(GROUPS)))
        self.pairs = pairs
        self.owner = np.repeat([p for p, _ in self.parts], [len(s.cover) for _, s in self.parts])
        self.similar = np.concatenate([empty, *(side.similar for _, side in self.parts)])
        self.counts = np.concatenate([empty, *(side.counts for _, side in self.parts)])
        self.cover = np.concatenate([np.zeros(0), *(side.cover for _, side in self.parts)])
        return self

    def values(self, weights: Floats) -> Floats:
        whole = self.counts @ weights
        shares = np.divide(self.similar @ weights, whole, out=np.zeros(len(whole)), where=whole > 0)
        owner = self.owner.astype(np.int64)
        sums = np.bincount(owner, self.cover * shares, self.pairs)
        return sums / np.maximum(np.bincount(owner, self.cover, self.pairs), 1)
