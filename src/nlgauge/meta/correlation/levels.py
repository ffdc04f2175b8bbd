"""What is correlated with what: metrics and people at the level of outputs, items or systems.

    segment            all outputs together
    segment-by-item    among the outputs for each item; the mean over items
    segment-by-system  among the outputs of each system; the mean over systems
    system             scores of systems: one point for each

Scores of metrics where lower is better are negated, and so are ratings said to be so: agreement is
always positive, and a negative value means that a metric prefers what people do not.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nlgauge.data.labels import NONE
from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.meta.correlation.settings import Level, SystemOver
from nlgauge.stats.ties import tie_rounding


@dataclass(frozen=True, eq=False)
class LevelPoints:
    """Points are scores of metrics [metrics, groups, points] and of people [groups, points]; NaN
    where there is none.
    """

    metrics: Floats
    human: Floats

    @property
    def count(self) -> int:
        """Count the points that have scores of both metrics and people."""
        return int((~np.isnan(self.human) & ~np.isnan(self.metrics).any(axis=0)).sum())


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoredJudgements:
    """Scores of outputs stand beside one criterion of their ratings, and perhaps weights of outputs
    by which ratings are averaged over a system (their lengths: Leusch et al., 2005, section 3.5).
    """

    paired: PairedScores
    criterion: str
    part: str = "all"  # of a split, that these are
    negate: Collection[str] = ()
    weights: Floats | None = None
    system_over: SystemOver = "all"

    @property
    def names(self) -> list[str]:
        """Return the names of the metrics, in column order."""
        return self.paired.scores.names

    @cached_property
    def signs(self) -> Floats:
        """Return −1 for metrics where lower is better, otherwise 1: [metrics]."""
        columns = self.paired.scores.columns
        return np.array([1.0 if c.metric.info.higher_is_better else -1.0 for c in columns])

    @property
    def _sign(self) -> float:
        return -1.0 if self.criterion in self.negate else 1.0

    @cached_property
    def metrics(self) -> Floats:
        """Return the scores of outputs by every metric: [metrics, outputs]."""
        scores = self.paired.scores
        columns = [scores.segment_scores(name) for name in scores.names]
        return tie_rounding(self.signs[:, None] * np.stack(columns))

    @cached_property
    def human(self) -> Floats:
        """Return the ratings of outputs, [outputs]; NaN where nobody rated."""
        return tie_rounding(self._sign * self.paired.human(self.criterion))

    @cached_property
    def whole(self) -> bool:
        """Return whether systems were rated as a whole."""
        ratings = self.paired.judgements.where(criterion=self.criterion).ratings()
        systems = ratings.system.recoded(self.paired.scores.systems.names)
        return bool(((ratings.item.codes == NONE) & (systems != NONE)).any())

    @cached_property
    def scored(self) -> npt.NDArray[np.bool_]:
        """Return which outputs the scores of systems are made of, [outputs]."""
        rated = ~np.isnan(self.human)
        return np.ones_like(rated) if self.system_over == "all" or self.whole else rated

    @cached_property
    def coverage(self) -> tuple[int, int]:
        """Count how many outputs of rated systems were rated, and how many there are."""
        codes = self.paired.scores.systems.codes
        rated = ~np.isnan(self.human)
        if (sample := self.paired.scores.sample) is not None:
            return int(rated.sum()), sample.segments * len(np.unique(codes[rated]))
        return int(rated.sum()), int(np.isin(codes, codes[rated]).sum())

    def _of_all_outputs(self, metric: str) -> Floats | None:
        """Return the scores of systems over a stream of outputs of which only some are here."""
        scores = self.paired.scores
        if scores.sample is None or (self.system_over == "rated" and not self.whole):
            return None
        return np.array([scores.sample.scores[name, metric] for name in scores.systems.names])

    @cached_property
    def human_systems(self) -> Floats:
        """Return the ratings of the systems by people: [systems]."""
        if self.whole or self.weights is None:
            human: Floats = self._sign * self.paired.human_systems(self.criterion)
            return human
        mean: Floats = self.system_means(np.ones((1, self.shape[1])))[0]
        return mean

    def system_means(self, draws: Floats) -> Floats:
        """Return mean ratings [draws, systems] when items occur as often as [draws, items] says."""
        scores = self.paired.scores
        rated = ~np.isnan(self.human)
        weights = rated * (1.0 if self.weights is None else self.weights)
        values = scores.grid(np.where(rated, self.human, 0.0) * weights)
        sums = draws @ np.nan_to_num(values).T
        counts = draws @ np.nan_to_num(scores.grid(weights)).T
        return divided(sums, counts)

    def metric_systems(self, metric: int, draws: Floats) -> Floats:
        """Return scores of systems [draws, systems], from sums of statistics over resampled
        items.
        """
        scores = self.paired.scores
        column, rows = scores.columns[metric], scores.rows[metric]
        result = np.full((len(draws), len(scores.systems.names)), np.nan)
        known = self._of_all_outputs(column.name)
        if known is not None:  # of so many outputs that they do not depend on which were drawn
            fixed: Floats = self.signs[metric] * np.broadcast_to(known, result.shape)
            return fixed
        for system in range(result.shape[1]):
            own = (scores.systems.codes == system) & self.scored
            counts = draws[:, scores.items.codes[own]]
            some = counts.any(axis=1)
            result[some, system] = column.metric.score(counts[some] @ rows[own])
        scaled: Floats = self.signs[metric] * column.metric.info.scale * result
        return scaled

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Return the numbers of systems and items."""
        return len(self.paired.scores.systems.names), len(self.paired.scores.items.names)

    def grids(self) -> tuple[Floats, Floats]:
        """Return scores of metrics [metrics, systems, items] and of people [systems, items]."""
        scores = self.paired.scores
        return np.stack([scores.grid(x) for x in self.metrics]), scores.grid(self.human)

    def system_grids(self) -> tuple[Floats, Floats]:
        """Return the same grids, with only the outputs that the scores of systems are made of."""
        scores = self.paired.scores
        metrics = (scores.grid(np.where(self.scored, x, np.nan)) for x in self.metrics)
        return np.stack(list(metrics)), scores.grid(self.human)

    def points(self, level: Level) -> LevelPoints:
        """Return what is to be correlated at a level."""
        if level == "system":
            scores = self.paired.scores
            systems = []
            for name in self.names:
                known = self._of_all_outputs(name)
                systems.append(scores.system_scores(name, self.scored) if known is None else known)
            metrics = tie_rounding(self.signs[:, None] * np.stack(systems))
            return LevelPoints(metrics[:, None], tie_rounding(self.human_systems)[None])
        if np.isnan(self.human).all():
            raise DataError(
                f"{self.criterion}: no rated output among the scored ones, so there is no "
                f"{level} level; ids and system names of scores and judgements must agree"
            )
        if level == "segment":
            rated = ~np.isnan(self.human)
            return LevelPoints(self.metrics[:, None, rated], self.human[None, rated])
        metrics, human = self.grids()
        if level == "segment-by-item":
            metrics, human = np.swapaxes(metrics, 1, 2), human.T
        return LevelPoints(metrics, human)

    def levels(self) -> tuple[Level, ...]:
        """Return what the data is good for: systems if people rated at least three; outputs, by
        item if three or more outputs of an item were rated on average.
        """
        systems, items = self.shape
        some = int((~np.isnan(self.human_systems)).sum())
        rated = ~np.isnan(self.human)
        if not rated.any():
            return ("system",)
        codes = self.paired.scores.items.codes[rated]
        by_item: Level = "segment-by-item" if codes.size >= 3 * np.unique(codes).size else "segment"
        return (by_item, "system") if some >= 3 and systems < items else (by_item,)


def divided(sums: Floats, counts: Floats) -> Floats:
    """Divide sums by counts; the mean of nothing is NaN."""
    result: Floats = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return result
