"""Agreement by pairs: of every two outputs, does the metric prefer the one that people prefer?

All of Kendall's coefficients follow from five counts. They differ in what becomes of ties: pairs
that people (`tied_human`), the metric (`tied_metric`) or both (`tied_both`) hold to be equal.

    kendall-a      (C − D) / all pairs
    kendall-b      (C − D) / √(pairs not tied by people · pairs not tied by the metric)
    kendall-c      2 (C − D) / (n² (m − 1) / m), m the smaller number of distinct values
    kendall-wmt12  pairs tied by people are left out, ties of the metric are errors (also in daRR)
    kendall-wmt13  pairs tied by anyone are left out
    kendall-wmt14  pairs tied by people are left out, ties of the metric count as pairs
    kendall-eq     a tie on both sides is agreement, on one side disagreement (Deutsch et al., 2023)
    accuracy-eq    the share of pairs with agreement in this sense
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlgauge.kernels import Floats
from nlgauge.stats.correlation import Array, _pairs, pair_counts
from nlgauge.stats.ties import tie_rounding


@dataclass(frozen=True)
class Pairs:
    """These are counts of pairs, as numbers or arrays of any shape; ties are on one side only."""

    concordant: Any
    discordant: Any
    tied_metric: Any
    tied_human: Any
    tied_both: Any
    outputs: Any = np.nan  # for kendall-c: their number, and the smaller number of distinct values
    distinct: Any = np.nan

    @classmethod
    def count(cls, metric: Array, human: Array) -> Pairs:
        """Count the pairs of two lists of scores that agree, disagree or are tied."""
        x, y = (tie_rounding(v) for v in _pairs(metric, human))
        distinct = min(np.unique(x).size, np.unique(y).size)
        return cls(*pair_counts(x, y), outputs=x.size, distinct=distinct)

    @property
    def total(self) -> Any:
        """Return the number of all pairs."""
        return (
            self.concordant
            + self.discordant
            + self.tied_metric
            + self.tied_human
            + (self.tied_both)
        )


def _ratio(above: Any, below: Any) -> Floats:
    above, below = np.broadcast_arrays(np.asarray(above, float), np.asarray(below, float))
    ratio: Floats = np.divide(above, below, out=np.full(below.shape, np.nan), where=below > 0)
    return ratio


def _kendall_a(p: Pairs) -> Floats:
    decided = np.asarray(p.concordant + p.discordant, np.float64)
    constant = (decided + p.tied_human == 0) | (decided + p.tied_metric == 0)
    return _ratio(p.concordant - p.discordant, np.where(constant, 0.0, p.total))


def _kendall_b(p: Pairs) -> Floats:
    decided = np.asarray(p.concordant + p.discordant, np.float64)
    below = np.sqrt((decided + p.tied_human) * (decided + p.tied_metric))
    return _ratio(p.concordant - p.discordant, below)


def _kendall_c(p: Pairs) -> Floats:
    m = np.asarray(p.distinct, np.float64)
    share = _ratio(m - 1, m)
    return _ratio(2.0 * (p.concordant - p.discordant), np.asarray(p.outputs, float) ** 2 * share)


def _wmt12(p: Pairs) -> Floats:
    wrong = p.discordant + p.tied_metric
    return _ratio(p.concordant - wrong, p.concordant + wrong)


def _wmt13(p: Pairs) -> Floats:
    return _ratio(p.concordant - p.discordant, p.concordant + p.discordant)


def _wmt14(p: Pairs) -> Floats:
    return _ratio(p.concordant - p.discordant, p.concordant + p.discordant + p.tied_metric)


def _accuracy(p: Pairs) -> Floats:
    return _ratio(p.concordant + p.tied_both, p.total)


def _kendall_eq(p: Pairs) -> Floats:
    return 2 * _accuracy(p) - 1


FORMULAS: dict[str, Callable[[Pairs], Floats]] = {
    "kendall-a": _kendall_a,
    "kendall-b": _kendall_b,
    "kendall-c": _kendall_c,
    "kendall-wmt12": _wmt12,
    "kendall-wmt13": _wmt13,
    "kendall-wmt14": _wmt14,
    "kendall-eq": _kendall_eq,
    "accuracy-eq": _accuracy,
}


def agreement(name: str, metric: Array, human: Array) -> float:
    """Return one of the coefficients above; the asymmetric ones take the metric first."""
    return float(FORMULAS[name](Pairs.count(metric, human)))


@dataclass(frozen=True, eq=False)
class Calibration:
    """A calibration is the difference up to which a metric's scores are best called equal."""

    epsilon: float
    value: float  # the mean over groups, there
    thresholds: Floats  # every difference that matters, from 0
    values: Floats


def calibrate(name: str, metric: Floats, human: Floats) -> Calibration:
    """Calibrate ties (Deutsch et al., 2023) for `kendall-eq` or `accuracy-eq`, over all pairs
    inside each row of [groups, outputs]; NaN where there is no output.

    The value is the mean over groups that have a pair. Of equally good thresholds, the smallest.
    """
    differences, gains = [np.zeros(1)], [np.zeros(1)]
    start = 0.0
    groups = 0
    for x, y in zip(tie_rounding(metric), tie_rounding(human), strict=True):
        known = ~(np.isnan(x) | np.isnan(y))
        a, b = x[known], y[known]
        if a.size < 2:
            continue
        groups += 1
        share = 2 / (a.size * (a.size - 1))
        agreed = 0
        for i in range(a.size - 1):
            dx, dy = a[i] - a[i + 1 :], b[i] - b[i + 1 :]
            before = np.sign(dx) == np.sign(dy)
            agreed += int(before.sum())
            # A pair that becomes a tie agrees from then on if people hold it to be one.
            changes = (dy == 0) * 1 - before
            moved = changes != 0
            differences.append(np.abs(dx[moved]))
            gains.append(share * changes[moved])
        start += share * agreed
    if not groups:
        return Calibration(float("nan"), float("nan"), np.zeros(1), np.full(1, np.nan))
    size, gain = np.concatenate(differences), np.concatenate(gains)
    order = np.argsort(size, kind="stable")
    size, accuracy = size[order], (start + np.cumsum(gain[order])) / groups
    last = np.append(size[1:] != size[:-1], True)  # equal differences become ties together
    thresholds, values = size[last], accuracy[last]
    if name == "kendall-eq":
        values = 2 * values - 1
    # Sums of fractions differ in their last bits: what is equal up to them is equally good.
    best = int(np.argmax(values >= values.max() - 1e-12))
    return Calibration(float(thresholds[best]), float(values[best]), thresholds, values)
