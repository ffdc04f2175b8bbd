"""Intervals of the mean of bounded values that hold at all looks, whatever the distribution.

For each mean that might be true a gambler bets against it, on both sides, with stakes that depend
on earlier values alone. If it is true, no way of betting makes 1 / α of the stake more often than
with probability α (Ville); so a mean against which somebody got as rich at any time is out. The
stakes are those of Waudby-Smith and Ramdas (2024), "Estimating means of bounded random variables by
betting", with their hedged capital.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats

_GRID = 401  # means that are bet against; the interval is rounded outwards to them
_MOST = 0.5  # share of the capital that is staked at most


def betting_interval(
    values: npt.ArrayLike, low: float, high: float, *, alpha: float
) -> tuple[float, float]:
    """Return the interval of the mean after all values, each between `low` and `high`.

    It is the intersection of those after each value, so it never grows.
    """
    lows, highs = betting_path(values, low, high, alpha=alpha)
    return float(lows[-1]), float(highs[-1])


def betting_path(
    values: npt.ArrayLike, low: float, high: float, *, alpha: float
) -> tuple[Floats, Floats]:
    """Return both ends of the interval after each value."""
    x = np.asarray(values, np.float64)
    if not low < high or not 0 < alpha < 1:
        raise SpecError(f"low={low}, high={high}, alpha={alpha}: expected low < high, and 0 to 1")
    if x.ndim != 1 or not x.size:
        raise DataError("an interval needs a list of values, at least one")
    if not ((x >= low) & (x <= high)).all():
        worst = x[~((x >= low) & (x <= high))][0]
        raise DataError(f"the value {worst:g} is not between {low:g} and {high:g}")
    unit = (x - low) / (high - low)
    stakes = _stakes(unit, alpha)
    means = np.linspace(0, 1, _GRID)
    up, down = np.zeros(_GRID), np.zeros(_GRID)
    limit = np.log(2 / alpha)  # half of the capital is on each side
    alive = np.ones(_GRID, bool)
    lows, highs = np.empty(x.size), np.empty(x.size)
    with np.errstate(divide="ignore"):
        most_up, most_down = _MOST / means, _MOST / (1 - means)
    for i, (value, stake) in enumerate(zip(unit.tolist(), stakes.tolist(), strict=True)):
        up += np.log1p(np.minimum(stake, most_up) * (value - means))
        down += np.log1p(-np.minimum(stake, most_down) * (value - means))
        alive &= np.maximum(up, down) < limit
        kept = np.flatnonzero(alive)
        if not kept.size:  # between two means of the grid, or bad luck: the last one stands
            lows[i:], highs[i:] = lows[i - 1], highs[i - 1]
            break
        lows[i] = means[max(kept[0] - 1, 0)]
        highs[i] = means[min(kept[-1] + 1, _GRID - 1)]
    return low + lows * (high - low), low + highs * (high - low)


def _stakes(unit: Floats, alpha: float) -> Floats:
    """Return the stake before each value, from the mean and variance of those before it."""
    n = np.arange(1, unit.size + 1)
    mean = (0.5 + np.cumsum(unit)) / (n + 1)
    variance = (0.25 + np.cumsum((unit - mean) ** 2)) / (n + 1)
    before = np.concatenate([[0.25], variance[:-1]])
    stakes: Floats = np.sqrt(2 * np.log(2 / alpha) / (before * n * np.log1p(n)))
    return stakes
