"""Is one metric better than another? Tests between every two, and clusters of metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.meta.correlation.levels import LevelPoints, ScoredJudgements
from nlgauge.meta.correlation.metric_agreement import MetricAgreement
from nlgauge.meta.correlation.permutation import Grouping, permutation_test
from nlgauge.meta.correlation.permuted_pairs import SMALL
from nlgauge.meta.correlation.settings import CALIBRATED, Level, MetaSettings, Test
from nlgauge.meta.correlation.swapped_pairs import pair_permutation_test
from nlgauge.stats.correlation import CORRELATIONS
from nlgauge.stats.dependent import steiger, williams
from nlgauge.stats.pairs import FORMULAS

MOST_PAIRS = 1 << 23  # of outputs, whose verdicts are swapped without being asked to

GROUPINGS: dict[Level, Grouping] = {
    "segment": "none",
    "segment-by-item": "item",
    "segment-by-system": "system",
    "system": "means",
}


@dataclass(frozen=True, eq=False)
class Significance:
    """The p-values say that the row's metric is not better than the column's; metrics best
    first.
    """

    part: str
    criterion: str
    level: str
    coefficient: str
    test: str
    alpha: float
    metrics: tuple[str, ...]
    values: Floats  # the correlations
    p_values: Floats  # [metrics, metrics]; NaN on the diagonal
    clusters: tuple[int, ...]  # from 1: metrics of one cluster are not told apart


def chosen(level: Level, coefficient: str, points: LevelPoints) -> Test:
    """Choose Williams' test for Pearson's coefficient of one set of points; otherwise permutations,
    unless they would take hours.
    """
    if coefficient == "pearson" and level in ("segment", "system"):
        return "williams"
    if coefficient in CALIBRATED:
        groups, size = points.human.shape
        return "permutation" if groups * size * size <= MOST_PAIRS else "none"
    quick = level == "system" or coefficient == "pearson"
    quick |= coefficient in FORMULAS and points.human.shape[1] <= SMALL
    known = coefficient in FORMULAS or coefficient in ("pearson", "spearman", "r2")
    return "permutation" if quick and known else "none"


def significance(
    rated: ScoredJudgements,
    level: Level,
    coefficient: str,
    points: LevelPoints,
    found: Sequence[MetricAgreement],
    settings: MetaSettings,
) -> Significance | None:
    """Test every two metrics; None if there are not two, or no test fits."""
    values = [a.value for a in found]
    defined = (i for i, value in enumerate(values) if not np.isnan(value))
    order = sorted(defined, key=lambda i: -values[i])
    test = settings.test
    if test == "auto":
        test = chosen(level, coefficient, points)
    if test == "none" or len(order) < 2:
        return None
    name: str = test
    if test == "permutation" and coefficient in CALIBRATED:
        drawn = pair_permutation_test(
            points.metrics[order],
            points.human,
            np.array([found[i].epsilon or 0.0 for i in order]),
            coefficient=CALIBRATED[coefficient],
            permutations=settings.permutations,
            seed=settings.seed,
        )
        p, name = drawn.p_values(), "permutation of pairs"
    elif test == "permutation":
        metrics, human = rated.system_grids() if level == "system" else rated.grids()
        drawn = permutation_test(
            metrics[order],
            rated.human_systems if level == "system" else human,
            grouping=GROUPINGS[level],
            coefficient=coefficient,
            swap=settings.swap,
            permutations=settings.permutations,
            seed=settings.seed,
        )
        p, name = drawn.p_values(), f"permutation of {settings.swap}"
    else:
        tested = _dependent(test, level, coefficient, points, order)
        if tested is None:
            return None
        p = tested
    return Significance(
        part=rated.part,
        criterion=rated.criterion,
        level=level,
        coefficient=coefficient,
        test=name,
        alpha=settings.alpha,
        metrics=tuple(rated.names[i] for i in order),
        values=np.array([values[i] for i in order]),
        p_values=p,
        clusters=clusters(p, settings.alpha),
    )


def _dependent(
    test: str, level: Level, coefficient: str, points: LevelPoints, order: list[int]
) -> Floats | None:
    """Return the p-values of Williams' or Steiger's test; None with fewer than four points.
    Correlations are oriented by `higher_is_better`, so that one in the wrong direction is not taken
    for a good one.
    """
    if points.human.shape[0] > 1 or coefficient not in CORRELATIONS or coefficient == "r2":
        raise SpecError(
            f"{test} compares correlations of one set of points, not {coefficient} at level "
            f"{level}; use test=permutation"
        )
    known = ~np.isnan(points.human[0]) & ~np.isnan(points.metrics[:, 0]).any(axis=0)
    n = int(known.sum())
    if n < 4:
        return None
    correlation = CORRELATIONS[coefficient]
    x, human = points.metrics[order, 0][:, known], points.human[0, known]
    own = [correlation(row, human) for row in x]
    compare = williams if test == "williams" else steiger
    p = np.full((len(x), len(x)), np.nan)
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            between = correlation(x[i], x[j])
            p[i, j] = compare(own[i], own[j], between, n).p_value
            p[j, i] = 1 - p[i, j]
    return p


def clusters(p_values: Floats, alpha: float) -> tuple[int, ...]:
    """Number clusters as at WMT: down the list of metrics, best first, a new cluster begins with a
    metric to which any metric of the present cluster is significantly superior.
    """
    result: list[int] = []
    start = 0
    for i in range(len(p_values)):
        if i > start and (p_values[start:i, i] < alpha).any():
            start = i
        result.append(1 if not result else result[-1] + (start == i))
    return tuple(result)
