"""Intervals of a mean that hold at all looks at once, by mixing over effects (Robbins, 1970).

A normal prior over effects in units of the unknown standard deviation, and the scale-invariant one
over that deviation, make the likelihood ratio of a t test a martingale; a mean that it speaks
against by 1 / α at any time is out (Lai, 1976; Wang & Ramdas, 2024, "Anytime-valid t-tests"). For
normal values the interval is exact from the first values on. For others it is one of the
asymptotic confidence sequences of Waudby-Smith et al. (2024), to which it converges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nlgauge.data.labels import Codes
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats

HORIZON = 500  # independent values at which intervals are as narrow as they can be made
_FAR = 1e6  # times the data there is; farther ahead nothing can be foretold


@dataclass(frozen=True)
class AnytimeInterval:
    """An anytime interval holds a mean at every look, with the error rate it was made for."""

    mean: float
    low: float
    high: float
    variance: float  # of the mean
    values: int
    clusters: int
    effective: float  # independent values that would tell as much


def precision(alpha: float, horizon: float) -> float:
    """Return the prior's weight in values for which the interval is tightest at `horizon`."""
    if not 0 < alpha < 1 or not horizon > 0:
        raise SpecError(f"alpha={alpha}, horizon={horizon}: expected 0 to 1, and more than 0")
    doubled = -2 * np.log(alpha)
    return float(horizon / (doubled + np.log(doubled) + 1))


def radius(
    variance: npt.ArrayLike,
    clusters: npt.ArrayLike,
    effective: npt.ArrayLike,
    *,
    alpha: float,
    horizon: float = HORIZON,
) -> Floats:
    """Return half the width of intervals of means with these variances.

    The spread is known from so many `clusters`; time goes by in `effective` values. Infinity while
    there are too few to say anything.
    """
    n, time = np.asarray(clusters, np.float64), np.asarray(effective, np.float64)
    own = precision(alpha, horizon) * n / time  # the prior, on the clock of the clusters
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        doubt = np.exp(np.log((n + own) / (own * alpha**2)) / n)
        left = n + own - doubt * own
        squared = np.where(left > 0, (n + own) * (doubt - 1) / left, np.inf)
        found = np.sqrt(np.asarray(variance) * n * squared)
    return np.where(np.isnan(found), np.inf, found)


def anytime_interval(
    values: npt.ArrayLike,
    clusters: Codes | None = None,
    *,
    alpha: float,
    horizon: float = HORIZON,
    pseudo: float = 0.0,
) -> AnytimeInterval:
    """Return the interval of the mean of all values so far.

    Values of one cluster, such as judgements of one item, need not be independent: clusters are
    weighted by what they tell, and the variance is that between clusters. `pseudo` is the square
    of one further deviation from the mean, which keeps values that are all equal so far from
    looking certain.
    """
    x = np.asarray(values, np.float64)
    if x.ndim != 1 or not x.size or not np.isfinite(x).all():
        raise DataError("an anytime interval needs a list of finite numbers, at least one")
    size, means, share = _clustered(x, clusters)
    weights = size / (1 + (size - 1) * share)
    mean = float(weights @ means / weights.sum())
    m = len(size)
    squares = float((weights**2) @ (means - mean) ** 2) + pseudo * float((weights**2).mean())
    variance = squares / float(weights.sum()) ** 2
    one = (float(((x - mean) ** 2).sum()) + pseudo) / x.size
    effective = min(max(one / variance, 1.0), float(x.size)) if variance > 0 else float(m)
    half = float(radius(variance, m, effective, alpha=alpha, horizon=horizon))
    return AnytimeInterval(mean, mean - half, mean + half, variance, x.size, m, effective)


def anytime_path(
    values: npt.ArrayLike, *, alpha: float, horizon: float = HORIZON, pseudo: float = 0.0
) -> tuple[Floats, Floats]:
    """Return means and half widths after each of some independent values, along the last axis."""
    x = np.asarray(values, np.float64)
    n = np.arange(1, x.shape[-1] + 1, dtype=np.float64)
    start = x[..., :1]  # a shift, so that squares do not cancel
    mean = np.cumsum(x - start, axis=-1) / n
    spread = np.maximum(np.cumsum((x - start) ** 2, axis=-1) / n - mean**2, 0) + pseudo / n
    return mean + start, radius(spread / n, n, n, alpha=alpha, horizon=horizon)


def growth_needed(
    found: AnytimeInterval, half_width: float, *, alpha: float, horizon: float = HORIZON
) -> float:
    """Return by what factor the data must grow until the interval is as narrow as `half_width`,
    if values go on as they are; infinity if no amount in sight is enough.
    """
    if half_width <= 0:
        return float("inf")

    def enough(times: float) -> bool:
        then = radius(
            found.variance / times,
            found.clusters * times,
            found.effective * times,
            alpha=alpha,
            horizon=horizon,
        )
        return bool(then <= half_width)

    low, high = 1.0, 1.0
    while not enough(high):
        low, high = high, 2 * high
        if high > _FAR:
            return float("inf")
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _clustered(x: Floats, clusters: Codes | None) -> tuple[Floats, Floats, float]:
    """Return sizes and means of clusters, and the share of variance that is between them."""
    if clusters is None:
        return np.ones(x.size), x, 0.0
    if len(clusters) != x.size:
        raise DataError(f"{x.size} values, but {len(clusters)} clusters: there must be one each")
    _, place = np.unique(clusters, return_inverse=True)
    size = np.bincount(place).astype(np.float64)
    means = np.bincount(place, x) / size
    m, n = len(size), x.size
    if m in (1, n):
        return size, means, 0.0
    within = float(((x - means[place]) ** 2).sum()) / (n - m)
    between = float(size @ (means - x.mean()) ** 2) / (m - 1)
    usual = (n - float(size @ size) / n) / (m - 1)
    component = max((between - within) / usual, 0.0)
    total = component + within
    return size, means, component / total if total > 0 else 0.0
