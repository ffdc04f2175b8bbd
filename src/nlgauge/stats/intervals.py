"""Confidence intervals of scores, and of differences of scores, from resampled corpora."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import numpy as np

from nlgauge.core.facts.choices import BootstrapInterval
from nlgauge.core.facts.defaults import CONFIDENCE, SEED
from nlgauge.core.metric import Interval, Metric, totals
from nlgauge.core.table import ScoreTable
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.stats import resampling
from nlgauge.stats.poisson import PoissonInterval, poisson_scores

METHODS: tuple[BootstrapInterval, ...] = get_args(BootstrapInterval)


def jackknife(metric: Metric, rows: Floats) -> Floats:
    """Return the scores without one segment each, on the printed scale: [n]."""
    scores: Floats = metric.score(totals(rows) - rows) * metric.info.scale
    return scores


def bca(
    resampled: Floats,
    observed: float,
    left_out: Floats,
    *,
    level: float = CONFIDENCE,
    seed: int = SEED,
) -> Interval:
    """Return bias-corrected and accelerated percentiles (Efron, 1987), as SciPy computes them.

    `left_out`: the scores without one segment each. Undefined (NaN) where all resampled scores lie
    on one side of the observed one.
    """
    from scipy.special import ndtr, ndtri

    if not 0 < level < 1:
        raise SpecError(f"level={level}: must lie between 0 and 1")
    mean = float(resampled.mean())
    if np.ptp(resampled) == 0:  # nothing varies: there is one value
        return Interval(mean, mean, mean, level, len(resampled), seed)
    below = ((resampled < observed).mean() + (resampled <= observed).mean()) / 2
    bias = ndtri(below)
    away = left_out.mean() - left_out
    spread = (away**2).sum() ** 1.5
    acceleration = (away**3).sum() / (6 * spread) if spread > 0 else 0.0
    low, high = np.nan, np.nan
    if np.isfinite(bias):
        z = ndtri((1 - level) / 2)
        shifted = np.array([bias + z, bias - z])
        levels = ndtr(bias + shifted / (1 - acceleration * shifted))
        low, high = np.percentile(resampled, 100 * levels)
    return Interval(float(low), float(high), mean, level, len(resampled), seed)


class Intervals:
    """Intervals of a table's scores and of their differences are computed from one set of
    resamples.
    """

    def __init__(
        self,
        table: ScoreTable,
        method: BootstrapInterval,
        *,
        resamples: int,
        level: float,
        seed: int,
        resampled: Mapping[tuple[str, str], Floats] | None = None,
    ) -> None:
        """Resample the table, unless scores of resamples are given."""
        self._method, self._level, self._seed = method, level, seed
        self._scores = table.printed()
        self._resampled = resampled or {}
        self._left_out: dict[tuple[str, str], Floats] = {}
        if method != "none" and resampled is None:
            draw = poisson_scores if method == "poisson" else resampling.resampled_scores
            self._resampled = draw(table, resamples=resamples, seed=seed)
        if method == "bca":
            for key in self._resampled:
                metric = table.column(key[1]).metric
                self._left_out[key] = jackknife(metric, table.rows_of(*key))

    def score(self, system: str, metric: str) -> Interval | None:
        """Return the interval of a system's score by one metric."""
        key = (system, metric)
        if self._method == "none":
            return None
        left_out = self._left_out.get(key, np.zeros(1))
        return self._interval(self._resampled[key], self._scores[key], left_out)

    def difference(self, system: str, other: str, metric: str) -> Interval | None:
        """Return the interval of the score of a system less that of another."""
        a, b = (system, metric), (other, metric)
        if self._method == "none":
            return None
        zero = np.zeros(1)
        return self._interval(
            self._resampled[a] - self._resampled[b],
            self._scores[a] - self._scores[b],
            self._left_out.get(a, zero) - self._left_out.get(b, zero),
        )

    def _interval(self, resampled: Floats, observed: float, left_out: Floats) -> Interval:
        if self._method != "bca":
            found = resampling.interval(resampled, level=self._level, seed=self._seed)
            return PoissonInterval(**vars(found)) if self._method == "poisson" else found
        return bca(resampled, observed, left_out, level=self._level, seed=self._seed)
