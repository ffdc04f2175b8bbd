"""Outlying systems (Mathur, Baldwin & Cohn, 2020): one system far off the others can make nearly
any metric look good. Outliers are systems whose human score is more than 2.5 robust standard
deviations (1.483 · median absolute deviation) from the median.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlgauge.kernels import Floats
from nlgauge.meta.correlation.levels import LevelPoints, ScoredJudgements
from nlgauge.stats.correlation import pearson

CUT = 2.5
FEWEST_OTHERS = 4  # systems; the correlation of fewer says nothing
_NORMAL = 1.483  # what makes the median absolute deviation of a normal distribution its σ


@dataclass(frozen=True)
class Outliers:
    """Pearson's correlation of one metric is given with and without the outlying systems."""

    metric: str
    part: str
    criterion: str
    systems: tuple[str, ...]
    with_outliers: float
    without_outliers: float  # NaN: too few others are left


def outlying(human: Floats, cut: float = CUT) -> np.ndarray:
    """Return whether each score is an outlier; NaN is none."""
    if np.isnan(human).all():
        return np.zeros(human.shape, bool)
    distance = np.abs(human - np.nanmedian(human))
    spread = _NORMAL * np.nanmedian(distance)
    return distance > cut * spread if spread > 0 else np.zeros(human.shape, bool)


def outliers(rated: ScoredJudgements, points: LevelPoints) -> list[Outliers]:
    """Return one entry per metric; none if there is no outlier."""
    human = points.human[0]
    out = outlying(human)
    enough = int((~np.isnan(human) & ~out).sum()) >= FEWEST_OTHERS
    if not out.any():
        return []
    names = tuple(rated.paired.scores.systems.names[i] for i in np.flatnonzero(out))
    return [
        Outliers(
            metric=name,
            part=rated.part,
            criterion=rated.criterion,
            systems=names,
            with_outliers=pearson(x, human),
            without_outliers=pearson(x[~out], human[~out]) if enough else float("nan"),
        )
        for name, x in zip(rated.names, points.metrics[:, 0], strict=True)
    ]
