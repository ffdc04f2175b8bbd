"""Agreement of annotators.

Ratings are a matrix [items, annotators]; NaN is "not rated". Labels of any kind are coded as
numbers by the caller. Where all ratings are equal, chance agreement is 1 and the coefficients are
undefined; they are 1 here, because everybody agrees.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats

Weights = Literal["none", "linear", "quadratic"]
Marks = frozenset[Hashable]
Level = Literal["nominal", "ordinal", "interval", "ratio"]


def cohen(first: npt.ArrayLike, second: npt.ArrayLike, weights: Weights = "none") -> float:
    """Cohen's κ of two annotators, or its weighted forms over the sorted categories."""
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if a.shape != b.shape or a.ndim != 1:
        raise DataError(f"two lists of equal length are needed, not {a.shape} and {b.shape}")
    known = ~(np.isnan(a) | np.isnan(b))
    categories, codes = np.unique(np.concatenate([a[known], b[known]]), return_inverse=True)
    n, k = int(known.sum()), categories.size
    if n == 0:
        return float("nan")
    table = np.zeros((k, k))
    np.add.at(table, (codes[:n], codes[n:]), 1 / n)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0))
    distance = np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(np.float64)
    cost = {"none": (distance > 0) * 1.0, "linear": distance, "quadratic": distance**2}[weights]
    by_chance = float((cost * expected).sum())
    return 1.0 if by_chance == 0 else 1 - float((cost * table).sum()) / by_chance


def fleiss(ratings: npt.ArrayLike) -> float:
    """Fleiss' κ; every item must have the same number of ratings, at least two."""
    matrix = _matrix(ratings)
    categories = np.unique(matrix[~np.isnan(matrix)])
    counts = np.stack([(matrix == c).sum(axis=1) for c in categories], axis=1)  # [items, k]
    return fleiss_from_counts(counts)


def fleiss_from_counts(counts: npt.ArrayLike) -> float:
    """Fleiss' κ from how many annotators chose each category: [items, categories]."""
    table = np.asarray(counts, np.float64)
    raters = table.sum(axis=1)
    if raters.size == 0 or (raters != raters[0]).any() or raters[0] < 2:
        raise DataError(
            "Fleiss' kappa needs the same number of ratings, at least two, for every item; "
            "Krippendorff's alpha takes incomplete data"
        )
    n = raters[0]
    agreement = ((table**2).sum(axis=1) - n) / (n * (n - 1))
    shares = table.sum(axis=0) / table.sum()
    by_chance = float((shares**2).sum())
    return 1.0 if by_chance == 1 else float((agreement.mean() - by_chance) / (1 - by_chance))


def krippendorff(ratings: npt.ArrayLike, level: Level = "nominal") -> float:
    """Krippendorff's α; items with fewer than two ratings do not count."""
    matrix = _matrix(ratings)
    matrix = matrix[(~np.isnan(matrix)).sum(axis=1) >= 2]
    values, codes = np.unique(matrix, return_inverse=True)
    values = values[~np.isnan(values)]
    if values.size < 2:
        return 1.0 if values.size else float("nan")
    codes = codes.reshape(matrix.shape)
    counts = np.stack([(codes == c).sum(axis=1) for c in range(values.size)], axis=1).astype(float)
    raters = counts.sum(axis=1)
    # Coincidences: pairs of ratings of the same item, each item weighing its number of ratings.
    pairs = (counts / (raters - 1)[:, None]).T @ counts
    pairs -= np.diag((counts / (raters - 1)[:, None]).sum(axis=0))
    totals = pairs.sum(axis=1)
    delta = _distance(values, totals, level)
    observed = float((pairs * delta).sum()) / totals.sum()
    expected = float((np.outer(totals, totals) * delta).sum()) / (totals.sum() * (totals.sum() - 1))
    return 1.0 if expected == 0 else 1 - observed / expected


def _distance(values: Floats, totals: Floats, level: Level) -> Floats:
    """Squared distance of each pair of values at a level of measurement: [k, k]."""
    difference = np.subtract.outer(values, values)
    if level == "nominal":
        return np.asarray(difference != 0, np.float64)
    if level == "interval":
        return np.asarray(difference**2)
    if level == "ratio":
        sums = np.add.outer(values, values)
        return np.asarray(
            np.divide(difference, sums, out=np.zeros_like(sums), where=sums != 0) ** 2
        )
    if level == "ordinal":
        # How many ratings lie between two ranks, half of those at the ranks themselves.
        ends = np.cumsum(totals) - totals / 2
        return np.asarray(np.subtract.outer(ends, ends) ** 2)
    raise SpecError(f"level={level!r}: there are nominal, ordinal, interval, ratio")


def jaccard(sets: Sequence[Collection[Hashable]]) -> float:
    """|A ∩ B| / |A ∪ B| of what two annotators marked, averaged over pairs of annotators."""
    return _over_pairs(sets, lambda a, b: len(a & b) / len(a | b) if a | b else 1.0)


def f1(sets: Sequence[Collection[Hashable]]) -> float:
    """F1 with one annotator as gold; it is the same in both directions."""
    return _over_pairs(sets, lambda a, b: 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0)


def _over_pairs(
    sets: Sequence[Collection[Hashable]], measure: Callable[[Marks, Marks], float]
) -> float:
    marked = [frozenset(s) for s in sets]
    if len(marked) < 2:
        raise DataError("agreement needs at least two annotators")
    return float(np.mean([measure(a, b) for a, b in combinations(marked, 2)]))


def _matrix(ratings: npt.ArrayLike) -> Floats:
    matrix = np.asarray(ratings, np.float64)
    if matrix.ndim != 2 or matrix.shape[1] < 2:
        raise DataError(f"ratings must be [items, annotators >= 2], not {matrix.shape}")
    return matrix
