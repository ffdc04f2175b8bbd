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
_AT_ONCE = 1000  # values that are bet on together
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
    unit = _unit(values, low, high, alpha)
    if unit.ndim != 1:
        raise DataError(f"an interval needs one list of values, not an array of {unit.shape}")
    stakes = _stakes(unit, alpha)
    means = np.linspace(0, 1, _GRID)[:, None]
    up, down = np.zeros((_GRID, 1)), np.zeros((_GRID, 1))
    out = np.zeros(_GRID, bool)
    lows, highs = np.empty(unit.size), np.empty(unit.size)
    for start in range(0, unit.size, _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        gains = _gains(unit[part], stakes[part], means)
        ups, downs = up + np.cumsum(gains[0], axis=1), down + np.cumsum(gains[1], axis=1)
        rich = np.maximum(ups, downs) >= _limit(alpha)
        alive = ~(np.logical_or.accumulate(rich, axis=1) | out[:, None])
        # The true mean may lie between the last one that is out and the first one that is not.
        lows[part] = means[np.maximum(alive.argmax(axis=0) - 1, 0), 0]
        highs[part] = means[np.minimum(_GRID - alive[::-1].argmax(axis=0), _GRID - 1), 0]
        if not alive[:, -1].any():  # less than a step of the grid is left, or the error of α
            first = start + int((~alive.any(axis=0)).argmax())
            lows[first:], highs[first:] = lows[first - 1], highs[first - 1]
            break
        up, down, out = ups[:, -1:], downs[:, -1:], ~alive[:, -1]
    return low + lows * (high - low), low + highs * (high - low)


def betting_excludes(
    values: npt.ArrayLike, low: float, high: float, mean: float, *, alpha: float
) -> npt.NDArray[np.bool_]:
    """Return whether a mean is out after each value, along the last axis; once out, it stays."""
    unit = _unit(values, low, high, alpha)
    gains = _gains(unit, _stakes(unit, alpha), np.asarray((mean - low) / (high - low)))
    capital = np.maximum(*(np.cumsum(gain, axis=-1) for gain in gains))
    return np.logical_or.accumulate(capital >= _limit(alpha), axis=-1)


def _unit(values: npt.ArrayLike, low: float, high: float, alpha: float) -> Floats:
    """Return the values between 0 and 1, if all are right."""
    x = np.asarray(values, np.float64)
    if not low < high or not 0 < alpha < 1:
        raise SpecError(f"low={low}, high={high}, alpha={alpha}: expected low < high, and 0 to 1")
    if not x.size:
        raise DataError("an interval needs at least one value; there is none")
    wrong = ~((x >= low) & (x <= high))
    if wrong.any():
        raise DataError(f"the value {x[wrong][0]:g} is not between {low:g} and {high:g}")
    return np.asarray((x - low) / (high - low))


def _limit(alpha: float) -> float:
    """Return the logarithm of the capital at which a mean is out; half of it is on each side."""
    return float(np.log(2 / alpha))


def _gains(unit: Floats, stakes: Floats, means: Floats) -> tuple[Floats, Floats]:
    """Return the logarithms of what each value adds to the capital of either side."""
    with np.errstate(divide="ignore"):
        up, down = np.minimum(stakes, _MOST / means), np.minimum(stakes, _MOST / (1 - means))
    return np.log1p(up * (unit - means)), np.log1p(-down * (unit - means))


def _stakes(unit: Floats, alpha: float) -> Floats:
    """Return the stake before each value, from the mean and variance of those before it."""
    n = np.arange(1, unit.shape[-1] + 1)
    mean = (0.5 + np.cumsum(unit, axis=-1)) / (n + 1)
    variance = (0.25 + np.cumsum((unit - mean) ** 2, axis=-1)) / (n + 1)
    before = np.concatenate([np.full_like(mean[..., :1], 0.25), variance[..., :-1]], axis=-1)
    return np.asarray(np.sqrt(2 * np.log(2 / alpha) / (before * n * np.log1p(n))))
