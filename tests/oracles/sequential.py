"""Sequential intervals, the slow way: the likelihood ratio by integration, bets one by one."""

from collections.abc import Sequence
from math import log, sqrt

import numpy as np


def mixture_ratio(values: Sequence[float], weight: float) -> float:
    """Return the t test's likelihood ratio against a mean of 0, by summing over a fine grid.

    The effect, in standard deviations, is normal with variance 1 / weight; the deviation σ has the
    density 1 / σ, which is flat on the logarithm of σ.
    """
    n, total, squares = len(values), sum(values), sum(v * v for v in values)
    scale = sqrt(squares / n)
    logs = np.linspace(-3, 5, 601)
    sigma = scale * np.exp(logs)[:, None]

    def likelihood(effect: np.ndarray) -> np.ndarray:
        fit = squares - 2 * effect * sigma * total + n * (effect * sigma) ** 2
        return np.exp(-n * logs[:, None] - fit / (2 * sigma**2))

    effects = np.linspace(-10, 10, 601) / sqrt(weight)
    prior = np.exp(-weight * effects**2 / 2)
    return float((likelihood(effects) @ prior).sum() / prior.sum() / likelihood(np.zeros(1)).sum())


def betting_out(values: Sequence[float], mean: float, alpha: float) -> bool:
    """Return whether a mean of values between 0 and 1 is out, with bets one after the other."""
    up = down = 0.0
    seen: list[float] = []
    means: list[float] = []
    for t, value in enumerate(values, 1):
        spread = (0.25 + sum((x - m) ** 2 for x, m in zip(seen, means, strict=True))) / t
        stake = sqrt(2 * log(2 / alpha) / (spread * t * log(t + 1)))
        up += log(1 + min(stake, 0.5 / mean if mean else stake) * (value - mean))
        down += log(1 - min(stake, 0.5 / (1 - mean) if mean < 1 else stake) * (value - mean))
        if max(up, down) >= log(2 / alpha):
            return True
        seen.append(value)
        means.append((0.5 + sum(seen)) / (t + 1))
    return False
