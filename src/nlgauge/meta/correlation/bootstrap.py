"""Confidence intervals of correlations as percentiles of a bootstrap over items, systems or both.

As nlpstats does it (Deutsch et al., 2021). `jackknife` has the intervals that cover.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from nlgauge.kernels import Floats
from nlgauge.meta.correlation.levels import LevelPoints, ScoredJudgements, divided
from nlgauge.meta.correlation.settings import Level, MetaSettings, Over
from nlgauge.stats.poisson import poisson_counts
from nlgauge.stats.resampling import interval
from nlgauge.stats.weighted import resampled, rowwise

_BLOCK = 1 << 22  # weights held in memory at once

Draws = tuple[Floats, Floats]  # how often each item and each system occurs: [draws, ...]


def usual(rated: ScoredJudgements, level: Level) -> Over:
    """Return what is resampled by default: both; but items alone where there are as many systems as
    items, since those are not systems.
    """
    systems, items = rated.shape
    return "both" if level == "system" or systems < items else "items"


def draws(rated: ScoredJudgements, over: Over, settings: MetaSettings) -> Iterator[Draws]:
    """Yield blocks of resamples, as counts of items and of systems."""
    systems, items = rated.shape
    if settings.interval == "poisson":
        yield from _poisson_draws(rated, over, settings)
        return
    rng = np.random.default_rng(settings.seed)
    for n in blocks(settings.resamples, max(len(rated.paired.scores), items)):
        by_item = np.ones((n, items)) if over == "systems" else drawn_counts(rng, items, n)
        by_system = np.ones((n, systems)) if over == "items" else drawn_counts(rng, systems, n)
        yield by_item, by_system


def _poisson_draws(rated: ScoredJudgements, over: Over, settings: MetaSettings) -> Iterator[Draws]:
    """Yield blocks of resamples in which an item occurs as often as the seed and its number in the
    stream say, whatever other items there are; and a system by its number.
    """
    scores = rated.paired.scores
    numbers = np.arange(rated.shape[1])
    if scores.sample is not None:
        numbers = np.array([scores.sample.numbers[name] for name in scores.items.names])
    counts = partial(poisson_counts, resamples=settings.resamples)
    every = counts(numbers, seed=settings.seed)
    systems = counts(np.arange(rated.shape[0]), seed=settings.seed + 1)
    start = 0
    for n in blocks(settings.resamples, max(len(scores), rated.shape[1])):
        some = slice(start, start + n)
        by_item, by_system = (part[some].astype(np.float64) for part in (every, systems))
        yield (
            np.ones_like(by_item) if over == "systems" else by_item,
            np.ones_like(by_system) if over == "items" else by_system,
        )
        start += n


def blocks(resamples: int, weights: int) -> Iterator[int]:
    """Yield how many resamples to look at together, each of which has so many weights."""
    step = max(1, _BLOCK // max(weights, 1))
    for start in range(0, resamples, step):
        yield min(step, resamples - start)


def drawn_counts(rng: np.random.Generator, size: int, n: int) -> Floats:
    """Draw `size` units with replacement, `n` times, and return how often each occurs."""
    return rng.multinomial(size, np.full(size, 1 / size), size=n).astype(np.float64)


def bootstrap(
    rated: ScoredJudgements,
    level: Level,
    points: LevelPoints,
    coefficient: str,
    epsilons: Floats,
    over: Over,
    settings: MetaSettings,
) -> list[tuple[float, float]]:
    """Return low and high for each metric; scores that differ by at most its epsilon are tied.
    Resamples in which a correlation is undefined are left out.
    """
    samples: list[list[Floats]] = [[] for _ in rated.names]
    for by_item, by_system in draws(rated, over, settings):
        if level == "system":
            human = rated.human_systems if rated.whole else rated.system_means(by_item)
            for m, found in enumerate(samples):
                scores = rated.metric_systems(m, by_item)
                found.append(rowwise(coefficient, scores, human, by_system))
            continue
        inner, outer = _weights(rated, level, by_item, by_system)
        for x, epsilon, found in zip(points.metrics, epsilons, samples, strict=True):
            values = resampled(coefficient, x, points.human, inner, epsilon=epsilon)
            known = ~np.isnan(values) * outer
            found.append(divided((np.nan_to_num(values) * outer).sum(axis=1), known.sum(axis=1)))
    return [span(np.concatenate(found), settings.confidence) for found in samples]


def _weights(rated: ScoredJudgements, level: Level, by_item: Floats, by_system: Floats) -> Draws:
    """Return the weights of the points in a group, and of the groups."""
    if level == "segment":
        scores, known = rated.paired.scores, ~np.isnan(rated.human)
        points = by_item[:, scores.items.codes[known]] * by_system[:, scores.systems.codes[known]]
        return points, np.ones((len(points), 1))
    inner, outer = (by_system, by_item) if level == "segment-by-item" else (by_item, by_system)
    # If only groups were drawn, what is in them is the same in all draws.
    return (inner[:1], outer) if (inner == 1).all() else (inner, outer)


def span(values: Floats, confidence: float) -> tuple[float, float]:
    """Return the percentiles between which the defined values lie with this confidence."""
    values = values[~np.isnan(values)]
    if not values.size:
        return float("nan"), float("nan")
    found = interval(values, level=confidence)
    return found.low, found.high
