"""Who is better, whose difference does not matter, and how many more judgements it takes to know.

Intervals hold at all looks at once, for all pairs of systems at once: with probability 1 − α no
pair is ever decided wrongly, however often somebody looks, and whatever makes them stop. The order
of the rows is the order in which judgements arrived.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nlgauge.core.facts.choices import Boundary
from nlgauge.core.facts.defaults import ALPHA
from nlgauge.data.judgements import Judgements
from nlgauge.errors import SpecError
from nlgauge.human.stopping.pair_differences import Pair, PairDifferences, differences
from nlgauge.stats.anytime.betting import betting_interval
from nlgauge.stats.anytime.mixture import (
    HORIZON,
    AnytimeInterval,
    anytime_interval,
    growth_needed,
)

Verdict = Literal["first", "second", "equal", "open"]


@dataclass(frozen=True, kw_only=True)
class PairDecision:
    """A decision says which of two systems is better, or "equal" if their difference is within the
    margin, or "open".
    """

    first: str
    second: str
    verdict: Verdict
    difference: float  # first minus second; of comparisons: share of wins minus one half
    low: float
    high: float
    judgements: int
    items: int
    more: int | None  # judgements of this pair until it is decided; None: no end in sight

    @property
    def better(self) -> str | None:
        """Return the system that is better, if one is known to be."""
        return {"first": self.first, "second": self.second}.get(self.verdict)


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """These are the decisions on all pairs of systems at one look."""

    criterion: str | None
    systems: tuple[str, ...]
    pairs: tuple[PairDecision, ...]
    compared: bool  # by comparisons; otherwise by ratings
    alpha: float  # for all pairs together
    margin: float | None
    method: Boundary
    notes: tuple[str, ...] = ()

    @property
    def open(self) -> tuple[PairDecision, ...]:
        """Return the pairs that are not decided."""
        return tuple(pair for pair in self.pairs if pair.verdict == "open")

    @property
    def more(self) -> int | None:
        """Return how many more judgements it takes to decide all; None: no end in sight."""
        needed = [pair.more for pair in self.open]
        return None if None in needed else sum(n for n in needed if n is not None)


def decide(
    judgements: Judgements,
    *,
    criterion: str | None = None,
    pairs: Sequence[Pair] | None = None,
    margin: float | None = None,
    alpha: float = ALPHA,
    method: Boundary = "mixture",
    scale: tuple[float, float] | None = None,
    horizon: float = HORIZON,
) -> Decisions:
    """Decide all pairs of systems, or those named, from what has arrived so far.

    `margin` is the largest difference of no interest, in units of the ratings, or for comparisons
    of shares of wins. "mixture" takes any values and many judgements of an item; "betting" needs
    the ends of the `scale` (for comparisons they are known), takes the first difference of each
    item, and is exact whatever the distribution. `horizon` is the number of differences of a pair
    for which intervals are tightest.
    """
    if margin is not None and not margin > 0:
        raise SpecError(f"margin={margin}: must be more than 0, or None for no such verdict")
    if method not in ("mixture", "betting"):
        raise SpecError(f"method={method!r}: there are mixture and betting")
    found = differences(judgements, criterion=criterion, pairs=pairs)
    bounds = (0.0, 1.0) if found.compared else scale
    if method == "betting" and bounds is None:
        raise SpecError("method='betting' needs the ends of the scale, such as scale=(1, 5)")
    each = alpha / len(found.pairs)
    # All equal so far is not certainty: one more judgement may be as far off as two at random are.
    pseudo = 0.25 if found.compared else found.spread
    if pseudo == 0 and bounds is not None:
        pseudo = (bounds[1] - bounds[0]) ** 2
    rule = _Rule(each, horizon, pseudo, margin)
    decided = []
    for pair in found.pairs:
        interval = rule.interval(pair)
        low, high = interval.low, interval.high
        if method == "betting" and bounds is not None and len(pair.value):
            low, high = _bet(pair, bounds, each, compared=found.compared)
        decided.append(rule.decision(pair, interval, low, high))
    equal = ("all judgements are equal so far; give the ends of the scale (scale=...)",)
    return Decisions(
        criterion=criterion,
        systems=found.systems,
        pairs=tuple(decided),
        compared=found.compared,
        alpha=alpha,
        margin=margin,
        method=method,
        notes=equal if pseudo == 0 else (),
    )


@dataclass(frozen=True)
class _Rule:
    """The rule holds what all pairs of one look have in common."""

    alpha: float  # of one pair
    horizon: float
    pseudo: float
    margin: float | None

    def interval(self, pair: PairDifferences) -> AnytimeInterval:
        if not len(pair.value) or self.pseudo == 0:
            mean = float(pair.value.mean()) if len(pair.value) else math.nan
            return AnytimeInterval(mean, -math.inf, math.inf, math.inf, len(pair.value), 0, 0.0)
        return anytime_interval(
            pair.value, pair.item, alpha=self.alpha, horizon=self.horizon, pseudo=self.pseudo
        )

    def decision(
        self, pair: PairDifferences, found: AnytimeInterval, low: float, high: float
    ) -> PairDecision:
        verdict: Verdict = "open"
        if low > 0 or high < 0:
            verdict = "first" if low > 0 else "second"
        elif self.margin is not None and -self.margin < low and high < self.margin:
            verdict = "equal"
        return PairDecision(
            first=pair.first,
            second=pair.second,
            verdict=verdict,
            difference=found.mean,
            low=low,
            high=high,
            judgements=pair.judgements,
            items=len(np.unique(pair.item)),
            more=0 if verdict != "open" else self.more(pair, found, (high - low) / 2),
        )

    def more(self, pair: PairDifferences, found: AnytimeInterval, half: float) -> int | None:
        """Return the judgements until the interval excludes 0 or lies within the margin."""
        if not math.isfinite(found.variance):
            return None
        targets = [abs(found.mean)]
        if self.margin is not None:
            targets.append(self.margin - abs(found.mean))
        # An interval by betting is wider than the one of the mixture, by about as much later on.
        wider = max(half / (found.high - found.low) * 2, 1.0) if math.isfinite(half) else 1.0
        times = min(
            growth_needed(found, target / wider, alpha=self.alpha, horizon=self.horizon)
            for target in targets
        )
        return max(math.ceil((times - 1) * pair.judgements), 1) if math.isfinite(times) else None


def _bet(
    pair: PairDifferences, bounds: tuple[float, float], alpha: float, *, compared: bool
) -> tuple[float, float]:
    """Return the interval by betting on the first difference of each item."""
    _, first = np.unique(pair.item, return_index=True)
    end = 0.5 if compared else bounds[1] - bounds[0]
    return betting_interval(pair.value[np.sort(first)], -end, end, alpha=alpha)
