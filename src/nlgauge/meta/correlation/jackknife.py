"""Confidence intervals of agreement by a jackknife over items and systems.

What leaving out an item, a system, or the outputs of one system for one item changes gives the
variance that each is responsible for. Outputs for the same item and outputs of the same system are
not independent, so the variances of items and of systems are added, and that of single outputs,
which both contain, is subtracted (Cameron, Gelbach and Miller, 2011). The interval is Student's, on
Fisher's scale, where correlations near 1 have room on both sides; its degrees of freedom follow
Satterthwaite. A bootstrap of items and systems (`intervals`) counts the variance of single outputs
three times and is too wide by item; percentiles of few items are too narrow.
`benchmarks/studies/interval_coverage.py` simulates both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from nlgauge.data.labels import Codes
from nlgauge.kernels import Floats
from nlgauge.meta.correlation.levels import LevelPoints, ScoredJudgements
from nlgauge.meta.correlation.settings import Level, MetaSettings, Over
from nlgauge.stats.weighted import resampled, rowwise

_BLOCKS = 200  # items are left out in at most so many blocks,
_CELLS = 60  # and in so many where systems are left out, too
_BLOCK = 1 << 22  # weights held in memory at once
# Inside an item there may be four systems, and a correlation of three of them jumps: of fewer than
# _FEW systems none loses all of its weight, but the share that covers best in simulations.
_FEW, _SHARE = 8, 0.75
_ROUNDING = 1e-12  # what correlations differ by that are equal but for their last bits

Statistic = Callable[[Floats], Floats]  # weights of outputs [draws, outputs] -> [draws, metrics]


@dataclass(frozen=True, eq=False)
class Spread:
    """A spread has the variances of one value: by items, by systems, and by single outputs, which
    both contain.
    """

    items: float
    systems: float
    outputs: float
    item_freedom: float
    system_freedom: float

    def total(self, over: Over) -> tuple[float, float]:
        """Return the variance and its degrees of freedom if items, systems or both are drawn."""
        if over == "items":
            return self.items, self.item_freedom
        if over == "systems":
            return self.systems, self.system_freedom
        more = max(self.systems - self.outputs, 0.0) if self.system_freedom else 0.0
        if not more:
            return self.items, self.item_freedom
        total = self.items + more
        parts = self.items**2 / self.item_freedom + more**2 / self.system_freedom
        return total, total**2 / parts


def limits(
    value: float, spread: Spread, over: Over, confidence: float, *, low: float = -1.0
) -> tuple[float, float]:
    """Return the interval of a value between `low` and 1; NaN where it cannot be known, which is
    also where nothing that is left out changes it: five systems may be in the right order by luck.
    """
    from scipy.stats import t

    variance, freedom = spread.total(over)
    half = (1 - low) / 2
    r = min(max((value - low) / half - 1, -1.0), 1.0)  # from -1 to 1
    varies = variance > _ROUNDING**2 and abs(r) < 1 - _ROUNDING
    if np.isnan(value) or not varies or freedom < 1:
        return float("nan"), float("nan")
    error = t.ppf((1 + confidence) / 2, freedom) * np.sqrt(variance) / half / (1 - r * r)
    ends = np.tanh(np.arctanh(r) + np.array([-error, error]))
    return float(low + half * (ends[0] + 1)), float(low + half * (ends[1] + 1))


def intervals(
    rated: ScoredJudgements,
    level: Level,
    points: LevelPoints,
    coefficient: str,
    epsilons: Floats,
    over: Over,
    settings: MetaSettings,
) -> list[tuple[float, float]]:
    """Return low and high for each metric; scores that differ by at most its epsilon are tied."""
    if coefficient == "r2":
        roots = intervals(rated, level, points, "pearson", epsilons, over, settings)
        return [_squared(low, high) for low, high in roots]
    found = []
    lowest = 0.0 if coefficient == "accuracy-eq" else -1.0
    for m, (x, epsilon) in enumerate(zip(points.metrics, epsilons, strict=True)):
        if level == "system":
            value, spread = _of_systems(rated, m, x[0], points.human[0], coefficient, settings)
        elif level == "segment":
            value, spread = _of_segments(rated, x, points.human, coefficient, epsilon, settings)
        else:
            value, spread = _of_groups(level, x, points.human, coefficient, epsilon, settings)
        found.append(limits(value, spread, over, settings.confidence, low=lowest))
    return found


def _of_segments(
    rated: ScoredJudgements,
    x: Floats,
    human: Floats,
    coefficient: str,
    epsilon: float,
    settings: MetaSettings,
) -> tuple[float, Spread]:
    """Return the coefficient of all rated outputs [1, outputs] and its spread."""

    def statistic(weights: Floats) -> Floats:
        return resampled(coefficient, x, human, weights, epsilon=epsilon)

    return of_outputs(rated, np.flatnonzero(~np.isnan(rated.human)), statistic, settings)


def _squared(low: float, high: float) -> tuple[float, float]:
    ends = sorted((low**2, high**2))
    return (0.0 if low < 0 < high else ends[0]), ends[1]


def _blocks(count: int, most: int, settings: MetaSettings) -> Codes:
    """Put units into blocks of equal size at random; each into one of its own if there are few."""
    if count <= most:
        return np.arange(count)
    order = np.random.default_rng(settings.seed).permutation(count)
    return order * most // count


def _variance(changes: Floats) -> float:
    """Return the variance from what leaving out each unit changes."""
    changes = changes[~np.isnan(changes)]
    n = changes.size
    return float(np.square(changes - changes.mean()).sum() * n / (n - 1)) if n > 1 else float("nan")


def of_outputs(
    rated: ScoredJudgements, known: Codes, statistic: Statistic, settings: MetaSettings
) -> tuple[float, Spread]:
    """Return a statistic of the known outputs together and its spread."""
    scores = rated.paired.scores
    items = np.unique(scores.items.codes[known], return_inverse=True)[1]
    systems = np.unique(scores.systems.codes[known], return_inverse=True)[1]
    several = bool(systems.max(initial=0))
    blocks = _blocks(items.max() + 1, _CELLS if several else _BLOCKS, settings)[items]
    value = float(statistic(np.ones((1, known.size)))[0, 0])

    def changes(codes: Codes) -> Floats:
        """What leaving out all outputs of each code changes."""
        found = [statistic(kept)[:, 0] for kept in _without(codes)]
        return value - np.concatenate(found)

    by_system = changes(systems) if several else np.zeros(1)
    cells = np.unique(blocks * (systems.max() + 1) + systems, return_inverse=True)[1]
    by_cell = changes(cells) if several else np.zeros(1)
    return value, Spread(
        items=_variance(changes(blocks)),
        systems=_variance(by_system) if several else 0.0,
        outputs=float(np.nansum(np.square(by_cell))),
        item_freedom=float(blocks.max()),
        system_freedom=float(systems.max()),
    )


def _without(codes: Codes) -> Iterator[Floats]:
    """Return weights of outputs [some codes, outputs], 0 for those of the code that is left out."""
    step = max(1, _BLOCK // codes.size)
    for start in range(0, codes.max() + 1, step):
        left_out = np.arange(start, min(start + step, codes.max() + 1))
        yield (codes != left_out[:, None]).astype(np.float64)


def _of_groups(
    level: Level,
    x: Floats,
    human: Floats,
    coefficient: str,
    epsilon: float,
    settings: MetaSettings,
) -> tuple[float, Spread]:
    """Return the mean of the coefficients of groups [groups, points] and its spread."""
    whole = resampled(coefficient, x, human, np.ones((1, x.shape[1])), epsilon=epsilon)[0]
    defined = ~np.isnan(whole)
    groups = int(defined.sum())
    if not groups:
        return float("nan"), Spread(np.nan, np.nan, np.nan, 0, 0)
    blocks = _blocks(x.shape[1], _CELLS, settings)
    inner = int(blocks.max()) + 1
    share = _SHARE if inner < _FEW else 1.0
    weights = 1 - share * (blocks == np.arange(inner)[:, None])
    kept = resampled(coefficient, x[defined], human[defined], weights, epsilon=epsilon)
    changes = np.nan_to_num((whole[defined] - kept) / share)  # [blocks, groups]
    changes -= changes.mean(axis=0)
    scale = inner / (inner - 1) if inner > 1 else np.nan
    outer = float(whole[defined].var(ddof=1) / groups) if groups > 1 else np.nan
    within = float(scale * np.square(changes.mean(axis=1)).sum())
    single = float(scale * np.square(changes).sum() / groups**2)
    if level == "segment-by-item":
        spread = Spread(outer, within, single, groups - 1, inner - 1)
    else:
        spread = Spread(within, outer, single, inner - 1, groups - 1)
    return float(whole[defined].mean()), spread


def _of_systems(
    rated: ScoredJudgements,
    metric: int,
    x: Floats,
    human: Floats,
    coefficient: str,
    settings: MetaSettings,
) -> tuple[float, Spread]:
    """Return the coefficient of system scores and its spread."""
    known = ~(np.isnan(x) | np.isnan(human))
    value = float(rowwise(coefficient, x[None], human[None])[0])
    kept = 1.0 - np.eye(len(x))[known]  # all systems but one
    all_x, all_human = (np.broadcast_to(v, kept.shape) for v in (x, human))
    by_system = value - rowwise(coefficient, all_x, all_human, kept)
    blocks = _blocks(rated.shape[1], _CELLS, settings)
    kept = (blocks != np.arange(blocks.max(initial=-1) + 1)[:, None]).astype(np.float64)
    xs = rated.metric_systems(metric, kept)  # [blocks, systems]
    ys = np.broadcast_to(human, xs.shape) if rated.whole else rated.system_means(kept)
    by_item = value - rowwise(coefficient, xs, ys)
    by_output = 0.0
    for system in np.flatnonzero(known):
        one = np.arange(len(x)) == system
        changed = rowwise(coefficient, np.where(one, xs, x), np.where(one, ys, human))
        by_output += float(np.nansum(np.square(value - changed)))
    return value, Spread(
        items=_variance(by_item) if blocks.size else 0.0,  # none: systems were rated as a whole
        systems=_variance(by_system),
        outputs=by_output,
        item_freedom=float(blocks.max()) if blocks.size else 1.0,
        system_freedom=float(known.sum() - 1),
    )
