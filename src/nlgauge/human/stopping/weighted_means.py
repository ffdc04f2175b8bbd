"""Means that adaptive allocation does not bias, by inverse propensities.

What is judged was drawn with a probability that depends on earlier judgements. Then a plain mean is
biased: a system that starts badly may be judged less often and never get the chance to recover.
The estimate of each step, m + [drawn] (x − m) / p, has the right mean whatever m was before the
step (Robins et al., 1994); m is the mean so far, so that steps in which another was drawn add
little noise. Intervals hold at all looks (Waudby-Smith et al., 2024).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from nlgauge.core.facts.defaults import ALPHA
from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import NONE, Codes
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats
from nlgauge.stats.anytime.mixture import HORIZON, anytime_interval


@dataclass(frozen=True)
class WeightedMean:
    """A weighted mean stands beside the plain one, with an interval that holds at all looks."""

    first: str
    second: str | None  # if it is a difference: first minus second
    judgements: int
    plain: float
    mean: float
    low: float
    high: float


def weighted_means(
    judgements: Judgements,
    *,
    criterion: str | None = None,
    alpha: float = ALPHA,
    horizon: float = HORIZON,
) -> tuple[WeightedMean, ...]:
    """Return the systems' means and differences, or the pairs' shares of wins minus one half, from
    judgements that all have a `propensity`: of the system that was rated, or the pair compared.
    """
    chosen = judgements if criterion is None else judgements.where(criterion=criterion)
    compared = chosen.comparisons()
    given = compared if len(compared) else chosen.ratings()
    if len(names := given.criterion.used().names) > 1:
        raise SpecError(f"judgements of several criteria; choose one of: {', '.join(names)}")
    if len(given) < 2 or (given.system.codes == NONE).any():
        raise DataError("weighted means need two judgements or more, each of a system")
    for row in np.flatnonzero(np.isnan(given.propensity))[:1]:
        raise DataError(
            f"the judgement of item {given.item[row]!r}, system {given.system[row]!r} by "
            f"{given.annotator[row]!r} has no propensity; leave out judgements that were not "
            "drawn by lot, or use plain means"
        )
    arms, drawn, value = _pairs_compared(given) if len(compared) else _systems_rated(given)
    steps = {arm: _steps(drawn == k, value, given.propensity) for k, arm in enumerate(arms)}
    plain = {arm: value[drawn == k] for k, arm in enumerate(arms)}
    made: dict[tuple[str, str | None], tuple[Floats, float, int]] = {
        arm: (steps[arm], float(plain[arm].mean()), plain[arm].size) for arm in arms
    }
    if not len(compared):
        for a, b in combinations(arms, 2):
            difference = float(plain[a].mean() - plain[b].mean())
            made[a[0], b[0]] = (steps[a] - steps[b], difference, plain[a].size + plain[b].size)
    result = []
    for (first, second), (estimates, mean, count) in made.items():
        found = anytime_interval(estimates, alpha=alpha, horizon=horizon)
        result.append(WeightedMean(first, second, count, mean, found.mean, found.low, found.high))
    return tuple(result)


def _steps(drawn: Codes, value: Floats, propensity: Floats) -> Floats:
    """Return the estimate of every step but the first, which only starts the means."""
    own = np.where(drawn, value, 0.0)
    before = np.cumsum(drawn)[:-1]
    overall = np.cumsum(value)[:-1] / np.arange(1, len(value))
    mean = np.where(before > 0, np.cumsum(own)[:-1] / np.maximum(before, 1), overall)
    return np.asarray(mean + np.where(drawn[1:], (value[1:] - mean) / propensity[1:], 0.0))


def _systems_rated(given: Judgements) -> tuple[list[tuple[str, None]], Codes, Floats]:
    systems = given.system.used()
    return [(name, None) for name in systems.names], systems.codes, given.value


def _pairs_compared(given: Judgements) -> tuple[list[tuple[str, str]], Codes, Floats]:
    arms: dict[tuple[str, str], int] = {}
    drawn, value = np.empty(len(given), np.intp), given.value - 0.5
    for row, (a, b) in enumerate(zip(given.system, given.against, strict=True)):
        first, second = sorted((str(a), str(b)))
        drawn[row] = arms.setdefault((first, second), len(arms))
        if a != first:
            value[row] = -value[row]
    return list(arms), drawn, value
