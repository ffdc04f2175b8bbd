"""The Kendall of WMT's relative ranks: of pairs of which people prefer one output, how many does
the metric order alike? (C − D) / (C + D), where the metric's ties are errors.

Pairs are judged comparisons, or outputs for the same item whose ratings differ by a threshold or
more (daRR: 25 points of direct assessment).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlgauge.data.labels import NONE, Codes
from nlgauge.kernels import Floats
from nlgauge.meta.correlation import jackknife
from nlgauge.meta.correlation.bootstrap import draws, span, usual
from nlgauge.meta.correlation.levels import ScoredJudgements, divided
from nlgauge.meta.correlation.settings import MetaSettings, Over


@dataclass(frozen=True, eq=False)
class Preferences:
    """Preferences are positions of outputs that people prefer, and of those they prefer them to."""

    better: Codes
    worse: Codes

    def __len__(self) -> int:
        return len(self.better)


def judged(rated: ScoredJudgements) -> Preferences:
    """Return what people said in comparisons; ties are left out."""
    scores = rated.paired.scores
    rows = rated.paired.judgements.where(criterion=rated.criterion).comparisons()
    where = scores.grid(np.arange(len(scores), dtype=np.float64))
    items = rows.item.recoded(scores.items.names)
    sides = []
    for labels in (rows.system, rows.against):
        systems = labels.recoded(scores.systems.names)
        known = (systems != NONE) & (items != NONE)
        sides.append(np.where(known, where[systems, items], np.nan))
    keep = ~np.isnan(sides[0]) & ~np.isnan(sides[1]) & (rows.value != 0.5) & ~np.isnan(rows.value)
    first, second = (side[keep].astype(np.intp) for side in sides)
    won = rows.value[keep] > 0.5
    return Preferences(np.where(won, first, second), np.where(won, second, first))


def from_ratings(rated: ScoredJudgements, threshold: float = 25.0) -> Preferences:
    """Return pairs of outputs for the same item whose ratings differ by the threshold or more."""
    codes, human = rated.paired.scores.items.codes, rated.human
    better, worse = [], []
    order = np.argsort(codes, kind="stable")
    for own in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1):
        own = own[~np.isnan(human[own])]
        i, j = np.triu_indices(own.size, 1)
        difference = human[own[i]] - human[own[j]]
        apart = (np.abs(difference) >= threshold) & (difference != 0)
        first, second = own[i[apart]], own[j[apart]]
        up = difference[apart] > 0
        better.append(np.where(up, first, second))
        worse.append(np.where(up, second, first))
    return Preferences(np.concatenate(better), np.concatenate(worse))


def agreements(rated: ScoredJudgements, preferences: Preferences) -> Floats:
    """Return 1 for a pair that a metric orders like people, −1 otherwise: [metrics, pairs]."""
    x = rated.metrics
    right = x[:, preferences.better] > x[:, preferences.worse]
    return np.where(right, 1.0, -1.0)


def intervals(
    rated: ScoredJudgements, preferences: Preferences, signs: Floats, settings: MetaSettings
) -> list[tuple[float, float]]:
    """Return low and high of the coefficient for each metric."""
    over = settings.over or usual(rated, "segment")
    if settings.interval != "jackknife":
        return _percentiles(rated, preferences, signs, over, settings)
    known = np.unique(np.concatenate([preferences.better, preferences.worse]))
    sides = [np.searchsorted(known, side) for side in (preferences.better, preferences.worse)]
    found = []
    for row in signs:

        def mean(weights: Floats, row: Floats = row) -> Floats:
            pairs = weights[:, sides[0]] * weights[:, sides[1]]
            return divided(pairs @ row[:, None], pairs.sum(axis=1, keepdims=True))

        value, spread = jackknife.of_outputs(rated, known, mean, settings)
        found.append(jackknife.limits(value, spread, over, settings.confidence))
    return found


def _percentiles(
    rated: ScoredJudgements,
    preferences: Preferences,
    signs: Floats,
    over: Over,
    settings: MetaSettings,
) -> list[tuple[float, float]]:
    scores = rated.paired.scores
    items = scores.items.codes[preferences.better]
    first, second = (scores.systems.codes[p] for p in (preferences.better, preferences.worse))
    samples = []
    for by_item, by_system in draws(rated, over, settings):
        weights = by_item[:, items] * by_system[:, first] * by_system[:, second]
        samples.append(
            divided(weights @ signs.T, weights.sum(axis=1, keepdims=True) + 0 * signs[:, 0])
        )
    return [span(values, settings.confidence) for values in np.concatenate(samples).T]
