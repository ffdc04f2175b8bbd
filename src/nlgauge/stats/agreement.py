"""Coefficients that tell how far annotators agree beyond chance.

Ratings are a matrix [items, annotators]; NaN is "not rated". Labels of any kind are coded as
numbers by the caller. Where all ratings are equal, chance agreement is 1 and the coefficients are
undefined; they are 1 here, because everybody agrees.

`draws` [resamples, items] says how often a resample has each item; the functions that take it give
one coefficient per resample. The plain ones are those of a single resample that has each item once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from nlgauge.data.labels import Codes
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats

Weights = Literal["none", "linear", "quadratic"]
Marks = frozenset[Hashable]
Level = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS = ("nominal", "ordinal", "interval", "ratio")


def cohen(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    weights: Weights = "none",
    *,
    categories: npt.ArrayLike | None = None,
) -> float:
    """Return Cohen's κ of two annotators, or its weighted forms over the sorted categories: those
    given, or those that the two used.
    """
    a, b = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if a.shape != b.shape or a.ndim != 1:
        raise DataError(f"two lists of equal length are needed, not {a.shape} and {b.shape}")
    return float(cohen_resampled(a, b, _once(a), weights, categories=categories)[0])


def cohen_resampled(
    a: Floats,
    b: Floats,
    draws: Floats,
    weights: Weights = "none",
    *,
    categories: npt.ArrayLike | None = None,
) -> Floats:
    """Return Cohen's κ of each resample, [draws]."""
    known = ~(np.isnan(a) | np.isnan(b))
    both = np.stack([a[known], b[known]])
    scale = np.unique(both if categories is None else np.asarray(categories, np.float64))
    codes = np.searchsorted(scale, both)
    if both.size and not np.array_equal(scale[codes.clip(max=scale.size - 1)], both):
        raise DataError("a rating is not among the categories")
    k = scale.size
    distance = np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(np.float64)
    if weights not in ("none", "linear", "quadratic"):
        raise SpecError(f"weights={weights!r}: there are none, linear, quadratic")
    cost = {"none": (distance > 0) * 1.0, "linear": distance, "quadratic": distance**2}[weights]
    drawn = draws[:, known]
    margins = [drawn @ _indicators(side, k) for side in codes]  # [resamples, k] each
    observed = drawn @ cost[codes[0], codes[1]]
    by_chance = ((margins[0] @ cost) * margins[1]).sum(axis=1)
    n = drawn.sum(axis=1)
    return _corrected(observed * n, by_chance, n)


def fleiss(ratings: npt.ArrayLike) -> float:
    """Return Fleiss' κ; every item must have the same number of ratings, at least two."""
    return fleiss_from_counts(counts_of(_matrix(ratings))[0])


def counts_of(ratings: Floats) -> tuple[Floats, Floats]:
    """Count how many annotators chose each value, [items, values], and return the values too."""
    values = np.unique(ratings[~np.isnan(ratings)])
    return np.stack([(ratings == v).sum(axis=1) for v in values], axis=1).astype(np.float64), values


def fleiss_from_counts(counts: npt.ArrayLike) -> float:
    """Return Fleiss' κ from how many annotators chose each category: [items, categories]."""
    table = np.asarray(counts, np.float64)
    return float(fleiss_resampled(table, _once(table))[0])


def fleiss_resampled(counts: Floats, draws: Floats) -> Floats:
    """Return Fleiss' κ of each resample, [draws]."""
    raters = counts.sum(axis=1)
    if raters.size == 0 or (raters != raters[0]).any() or raters[0] < 2:
        raise DataError(
            "Fleiss' kappa needs the same number of ratings, at least two, for every item; "
            "Krippendorff's alpha takes incomplete data"
        )
    n = raters[0]
    items = draws.sum(axis=1)
    disagreement = draws @ (1 - ((counts**2).sum(axis=1) - n) / (n * (n - 1)))
    shares = (draws @ counts) / np.maximum(items * n, 1)[:, None]
    by_chance = 1 - (shares**2).sum(axis=1)
    # A single category: what rounding leaves of the sum is no disagreement.
    by_chance[(shares > 0).sum(axis=1) == 1] = 0
    return _corrected(disagreement, by_chance * items, items)


def krippendorff(ratings: npt.ArrayLike, level: Level = "nominal") -> float:
    """Return Krippendorff's α; items with fewer than two ratings do not count."""
    matrix = _matrix(ratings)
    return float(krippendorff_resampled(matrix, _once(matrix), level)[0])


def krippendorff_resampled(ratings: Floats, draws: Floats, level: Level = "nominal") -> Floats:
    """Return Krippendorff's α of each resample, [draws]."""
    if level not in LEVELS:
        raise SpecError(f"level={level!r}: there are {', '.join(LEVELS)}")
    paired = (~np.isnan(ratings)).sum(axis=1) >= 2
    matrix, drawn = ratings[paired], draws[:, paired]
    known = ~np.isnan(matrix)
    raters = known.sum(axis=1).astype(np.float64)
    values, codes = np.unique(matrix[known], return_inverse=True)
    n = drawn @ raters
    if level == "ordinal":
        return _ordinal(known, raters, codes, values.size, drawn, n)
    if level == "interval":
        x = np.where(known, matrix, 0) - np.where(known, values.mean() if values.size else 0, 0)
        observed = drawn @ _spread(x, raters)
        sums, squares = drawn @ x.sum(axis=1), drawn @ (x**2).sum(axis=1)
        expected = 2 * (n * squares - sums**2)
        # Of equal values rounding may leave something.
        expected[expected <= 1e-13 * n * squares] = 0
    else:
        counts = np.zeros((len(matrix), values.size))
        np.add.at(counts, (np.nonzero(known)[0], codes), 1)
        delta = _distance(values, level)
        observed = drawn @ (((counts @ delta) * counts).sum(axis=1) / (raters - 1))
        totals = drawn @ counts
        expected = ((totals @ delta) * totals).sum(axis=1)
    return _corrected(observed * (n - 1), expected, n)


def _spread(x: Floats, raters: Floats) -> Floats:
    """Add up squared differences of all pairs of an item, over its ratings less one; x is 0 if
    missing.
    """
    return np.asarray(2 * (raters * (x**2).sum(axis=1) - x.sum(axis=1) ** 2) / (raters - 1))


def _ordinal(
    known: npt.NDArray[np.bool_], raters: Floats, codes: Codes, k: int, drawn: Floats, n: Floats
) -> Floats:
    """Compute α of ranks: how far they are apart depends on how many ratings lie between them, in
    each resample.
    """
    item = np.nonzero(known)[0]
    result = np.empty(len(drawn))
    for b, times in enumerate(drawn):
        totals = np.bincount(codes, times[item], k)
        # All ratings of lower ranks, and half of those at the rank itself; about their middle.
        ends = np.cumsum(totals) - totals / 2 - n[b] / 2
        x = np.zeros(known.shape)
        x[known] = ends[codes]
        expected = 2 * (n[b] * (totals * ends**2).sum() - (totals * ends).sum() ** 2)
        if (totals > 0).sum() < 2:
            expected = 0.0
        observed = times @ _spread(x, raters)
        result[b] = _corrected(
            np.array([observed * (n[b] - 1)]), np.array([expected]), n[b : b + 1]
        )[0]
    return result


def _distance(values: Floats, level: Level) -> Floats:
    """Return the squared distance of each pair of values: [k, k]."""
    difference = np.subtract.outer(values, values)
    if level == "nominal":
        return np.asarray(difference != 0, np.float64)
    sums = np.add.outer(values, values)
    return np.asarray(np.divide(difference, sums, out=np.zeros_like(sums), where=sums != 0) ** 2)


def jaccard(sets: Sequence[Collection[Hashable]]) -> float:
    """Return |A ∩ B| / |A ∪ B| of what two annotators marked, averaged over pairs of annotators."""
    return _over_pairs(sets, lambda a, b: len(a & b) / len(a | b) if a | b else 1.0)


def f1(sets: Sequence[Collection[Hashable]]) -> float:
    """Return F1 with one annotator as gold; it is the same in both directions."""
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


def _once(ratings: Floats) -> Floats:
    """Return the one resample that has every item once."""
    return np.ones((1, len(ratings)))


def _indicators(codes: Codes, k: int) -> Floats:
    table = np.zeros((codes.size, k))
    table[np.arange(codes.size), codes] = 1
    return table


def _corrected(observed: Floats, by_chance: Floats, n: Floats) -> Floats:
    """Return 1 − disagreement / disagreement by chance; 1 where the latter is none, NaN without
    data.
    """
    ratio = np.divide(observed, by_chance, out=np.zeros_like(observed), where=by_chance != 0)
    return np.where(n > 0, 1 - ratio, np.nan)
