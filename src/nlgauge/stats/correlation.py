"""Coefficients that correlate scores with judgements, or any two lists of numbers.

Undefined values (a constant side, too few points) are NaN, never 0: no agreement is a finding, no
answer is not. Wherever a pair has a NaN on either side it is left out. Values that differ only by
rounding are equal, so that they tie in ranks and make a side constant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.stats.ties import is_constant, tie_rounding

Correlation = Literal["pearson", "spearman", "kendall-a", "kendall-b", "kendall-c", "r2"]
Array = npt.ArrayLike


def _pairs(x: Array, y: Array) -> tuple[Floats, Floats]:
    a, b = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if a.shape != b.shape or a.ndim != 1:
        raise DataError(f"correlation needs two lists of equal length, not {a.shape} and {b.shape}")
    known = ~(np.isnan(a) | np.isnan(b))
    return a[known], b[known]


def ranks(x: Array) -> Floats:
    """Return ranks from 1 along a list, where ties get the mean of theirs."""
    from scipy.stats import rankdata

    result: Floats = rankdata(tie_rounding(np.asarray(x, np.float64)))
    return result


def pearson(x: Array, y: Array) -> float:
    """Return Pearson's r: the covariance over the product of the standard deviations."""
    a, b = _pairs(x, y)
    if a.size < 2 or is_constant(a) or is_constant(b):
        return float("nan")
    a, b = a - a.mean(), b - b.mean()
    # Scaled before squaring, so that neither tiny nor huge values are lost.
    for v in (a, b):
        v /= np.abs(v).max()
    r = (a @ b) / np.sqrt((a @ a) * (b @ b))
    return float(np.clip(r, -1, 1))


def r_squared(x: Array, y: Array) -> float:
    """Return the share of the variance that a straight line explains."""
    return pearson(x, y) ** 2


def spearman(x: Array, y: Array) -> float:
    """Return Spearman's ρ, which is Pearson's correlation of the ranks."""
    a, b = _pairs(x, y)
    return pearson(ranks(a), ranks(b)) if a.size else float("nan")


def pair_counts(x: Array, y: Array) -> tuple[int, int, int, int, int]:
    """Count pairs: concordant, discordant, tied in x only, tied in y only, and tied in both."""
    a, b = (tie_rounding(v) for v in _pairs(x, y))
    n = a.size
    # Sorted by x then y, discordant pairs are the inversions of y; ties are counted by runs.
    order = np.lexsort((b, a))
    a, b = a[order], b[order]
    both = _ties(np.flatnonzero((np.diff(a) != 0) | (np.diff(b) != 0)), n)
    ties_x = _ties(np.flatnonzero(np.diff(a) != 0), n)
    ties_y = _ties(np.flatnonzero(np.diff(np.sort(b)) != 0), n)
    discordant = _inversions(b)
    pairs = n * (n - 1) // 2
    concordant = pairs - discordant - ties_x - ties_y + both
    return concordant, discordant, ties_x - both, ties_y - both, both


def _ties(ends: npt.NDArray[np.intp], n: int) -> int:
    """Count pairs inside runs of equal values, given where each run but the last ends."""
    if n == 0:
        return 0
    sizes = np.diff(np.concatenate([[-1], ends, [n - 1]]))
    return int((sizes * (sizes - 1) // 2).sum())


def _inversions(values: Floats) -> int:
    """Count pairs i < j with values[i] > values[j], by merging sorted halves."""
    if values.size < 2:
        return 0
    count = 0
    width = 1
    v = values.copy()
    while width < v.size:
        for start in range(0, v.size - width, 2 * width):
            left = v[start : start + width]
            right = v[start + width : start + 2 * width]
            count += int((left.size - np.searchsorted(left, right, side="right")).sum())
            v[start : start + 2 * width] = np.sort(v[start : start + 2 * width], kind="stable")
        width *= 2
    return count


def kendall_a(x: Array, y: Array) -> float:
    """Return Kendall's τ-a, which is (C − D) / all pairs."""
    c, d, only_x, only_y, both = pair_counts(x, y)
    constant = c + d + only_x == 0 or c + d + only_y == 0
    return float("nan") if constant else (c - d) / (c + d + only_x + only_y + both)


def kendall_b(x: Array, y: Array) -> float:
    """Return Kendall's τ-b, which is (C − D) / √(pairs not tied in x · pairs not tied in y)."""
    c, d, only_x, only_y, _ = pair_counts(x, y)
    total = np.sqrt(float(c + d + only_y) * float(c + d + only_x))
    return float((c - d) / total) if total else float("nan")


def kendall_c(x: Array, y: Array) -> float:
    """Return Stuart's τ-c: 2 (C − D) / (n² (m − 1) / m), m the smaller number of distinct
    values.
    """
    a, b = (tie_rounding(v) for v in _pairs(x, y))
    c, d, *_ = pair_counts(a, b)
    m = min(np.unique(a).size, np.unique(b).size)
    return 2 * (c - d) / (a.size**2 * (m - 1) / m) if m > 1 else float("nan")


CORRELATIONS: dict[str, Callable[[Array, Array], float]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall-a": kendall_a,
    "kendall-b": kendall_b,
    "kendall-c": kendall_c,
    "r2": r_squared,
}
