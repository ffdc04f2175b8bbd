"""How far one metric agrees with one criterion, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from nlgauge.kernels import Floats
from nlgauge.meta.correlation import bootstrap, jackknife, preference_pairs
from nlgauge.meta.correlation.levels import LevelPoints, ScoredJudgements
from nlgauge.meta.correlation.settings import CALIBRATED, PREFERENCES, SOFT, Level, MetaSettings
from nlgauge.stats.correlation import CORRELATIONS
from nlgauge.stats.pairs import agreement, calibrate
from nlgauge.stats.soft import soft_pairwise_accuracy

FEWEST = 3  # points, or groups of points, for a coefficient to say something


@dataclass(frozen=True, kw_only=True)
class MetricAgreement:
    """A metric agrees with a criterion by a correlation, or by another coefficient."""

    metric: str
    part: str
    criterion: str
    level: str
    coefficient: str
    value: float
    low: float = float("nan")  # NaN: no interval was asked for, or there is none
    high: float = float("nan")
    points: int  # outputs, systems or pairs
    groups: int = 1  # whose mean the value is
    epsilon: float | None = None  # the calibrated threshold of ties
    too_few: bool = False  # so few points or groups that the value says nothing
    rated_outputs: int | None = None  # of systems, if their ratings are means over outputs
    outputs: int | None = None  # of the same systems, rated or not


def agreements(
    rated: ScoredJudgements,
    level: Level,
    points: LevelPoints,
    coefficient: str,
    settings: MetaSettings,
) -> list[MetricAgreement]:
    """Return the agreement of every metric, with intervals if they are asked for."""
    result = []
    grids = rated.system_grids() if coefficient == SOFT else None
    means = level == "system" and not rated.whole
    covered = rated.coverage if means else (None, None)
    for m, (name, x) in enumerate(zip(rated.names, points.metrics, strict=True)):
        epsilon = None
        if grids is not None:
            values = [soft_pairwise_accuracy(grids[0][m], grids[1])]
        elif coefficient in CALIBRATED:
            best = calibrate(CALIBRATED[coefficient], x, points.human)
            values, epsilon = [best.value], best.epsilon
        else:
            groups = zip(x, points.human, strict=True)
            values = [_coefficient(coefficient, a, b) for a, b in groups]
        known = [value for value in values if not np.isnan(value)]
        result.append(
            MetricAgreement(
                metric=name,
                part=rated.part,
                criterion=rated.criterion,
                level=level,
                coefficient=coefficient,
                value=float(np.mean(known)) if known else float("nan"),
                points=points.count,
                groups=len(known),
                epsilon=epsilon,
                too_few=too_few(level, points),
                rated_outputs=covered[0],
                outputs=covered[1],
            )
        )
    if not settings.resamples or coefficient == SOFT or (level == "system" and epsilon is not None):
        return result
    over = settings.over or bootstrap.usual(rated, level)
    method = jackknife.intervals if settings.interval == "jackknife" else bootstrap.bootstrap
    name, epsilons = CALIBRATED.get(coefficient, coefficient), [a.epsilon or 0.0 for a in result]
    spans = method(rated, level, points, name, np.array(epsilons), over, settings)
    return [replace(a, low=low, high=high) for a, (low, high) in zip(result, spans, strict=True)]


def too_few(level: Level, points: LevelPoints) -> bool:
    """Return whether a correlation says nothing: it is of fewer than three points or, where it is a
    mean over groups, of fewer than three groups.
    """
    known = ~np.isnan(points.human) & ~np.isnan(points.metrics).any(axis=0)
    if level in ("segment", "system"):
        return int(known.sum()) < FEWEST
    return int((known.sum(axis=1) > 1).sum()) < FEWEST


def _coefficient(name: str, x: Floats, y: Floats) -> float:
    known = ~(np.isnan(x) | np.isnan(y))
    if known.sum() < 2:
        return float("nan")
    return CORRELATIONS[name](x, y) if name in CORRELATIONS else agreement(name, x, y)


def preferences(
    rated: ScoredJudgements, given: preference_pairs.Preferences, settings: MetaSettings
) -> list[MetricAgreement]:
    """Return the agreement of every metric by WMT's Kendall of preferences."""
    signs = preference_pairs.agreements(rated, given)
    spans = [(float("nan"), float("nan"))] * len(signs)
    if settings.resamples and len(given):
        spans = preference_pairs.intervals(rated, given, signs, settings)
    return [
        MetricAgreement(
            metric=name,
            part=rated.part,
            criterion=rated.criterion,
            level="segment-by-item",
            coefficient=PREFERENCES,
            value=float(row.mean()) if row.size else float("nan"),
            low=low,
            high=high,
            points=row.size,
            too_few=row.size < FEWEST,
        )
        for name, row, (low, high) in zip(rated.names, signs, spans, strict=True)
    ]
