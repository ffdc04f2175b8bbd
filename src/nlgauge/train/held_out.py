"""Folds by group, and figures on what was held out, with intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlgauge.core.facts.defaults import CONFIDENCE, RESAMPLES
from nlgauge.data.labels import Codes, Labels
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.stats.correlation import pearson


@dataclass(frozen=True)
class HeldOutFigure:
    """A figure is the mean over parts of Pearson's r with people, or a difference of two such."""

    name: str
    value: float
    low: float
    high: float

    def record(self) -> dict[str, object]:
        """Return the figure for the header of a model's file."""
        return {"name": self.name, "value": self.value, "interval": [self.low, self.high]}


def check_folds(groups: Codes, folds: int) -> None:
    """Refuse folds that groups, which stay together, cannot be divided into."""
    most = len(np.unique(groups))
    if most < 2:
        raise SpecError(
            f"folds={folds}: all rows are one group, as they share a source, a context or a "
            "reference; give rows of other texts, or folds=0, which holds nothing out"
        )
    if not 2 <= folds <= most:
        raise SpecError(
            f"folds={folds}: expected 2 to {most}, the number of groups, or 0, which holds nothing "
            "out"
        )


def folds_of(groups: Codes, folds: int, seed: int) -> Codes:
    """Return the fold of each row, so that groups stay together and folds are about as large."""
    check_folds(groups, folds)
    names, sizes = np.unique(groups, return_counts=True)
    order = np.random.default_rng(seed).permutation(len(names))
    order = order[np.argsort(-sizes[order], kind="stable")]
    filled, fold_by_group = np.zeros(folds), np.empty(len(names), np.intp)
    for k in order.tolist():
        fold_by_group[k] = int(filled.argmin())
        filled[fold_by_group[k]] += sizes[k]
    return fold_by_group[np.searchsorted(names, groups)]


def mean_pearson(predicted: Floats, ratings: Floats, parts: Labels) -> float:
    """Return the mean over parts of Pearson's r; parts in which a side is constant do not count."""
    found = [
        pearson(predicted[rows], ratings[rows])
        for rows in (parts.codes == k for k in range(len(parts.names)))
        if rows.any()
    ]
    known = [r for r in found if not np.isnan(r)]
    return float(np.mean(known)) if known else float("nan")


class FigureMaker:
    """A figure maker resamples groups of rows the same way for all that it compares."""

    def __init__(
        self, ratings: Floats, parts: Labels, groups: Codes, seed: int, resamples: int = RESAMPLES
    ) -> None:
        self.ratings, self.parts = ratings, parts
        names, codes = np.unique(groups, return_inverse=True)
        rng = np.random.default_rng(seed)
        drawn = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), resamples)
        self.weights = drawn[:, codes].astype(np.float64)  # [resamples, rows]

    def figure(self, name: str, predicted: Floats, minus: Floats | None = None) -> HeldOutFigure:
        """Return the correlation of predictions, or by how much it is above that of others."""
        value = mean_pearson(predicted, self.ratings, self.parts)
        drawn = self._resampled(predicted)
        if minus is not None:
            value -= mean_pearson(minus, self.ratings, self.parts)
            drawn = drawn - self._resampled(minus)
        tail = 100 * (1 - CONFIDENCE) / 2
        low, high = np.nanpercentile(drawn, [tail, 100 - tail]).tolist()
        return HeldOutFigure(name, value, low, high)

    def _resampled(self, predicted: Floats) -> Floats:
        found = []
        for k in range(len(self.parts.names)):
            rows = self.parts.codes == k
            if rows.any():
                found.append(_weighted(predicted[rows], self.ratings[rows], self.weights[:, rows]))
        mean: Floats = np.nanmean(found, axis=0)
        return mean


def _weighted(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return Pearson's r for each row of weights."""
    x, y = x - x.mean(), y - y.mean()
    n = weights.sum(axis=1)
    n[n == 0] = np.nan
    mean_x, mean_y = weights @ x / n, weights @ y / n
    both = weights @ (x * y) / n - mean_x * mean_y
    spread = (weights @ x**2 / n - mean_x**2) * (weights @ y**2 / n - mean_y**2)
    found: Floats = both / np.sqrt(np.where(spread > 0, spread, np.nan))
    return found
