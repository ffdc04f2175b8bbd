"""Coefficients of weighted data: a weight is how often an output occurs in a resample.

`resampled` is for many draws over the same scores: sums are matrix products, and the pairs of
Kendall's coefficients quadratic forms of the weights. `rowwise` is for scores that change with the
draw. Both equal the plain coefficients of the data with each output repeated, but that an output
and its own copy are no pair: a metric is not right for calling them equal.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.stats.pairs import FORMULAS, Pairs
from nlgauge.stats.ties import is_constant, tie_rounding

_BLOCK = 1 << 22  # numbers held in memory at once
_LINEAR = ("pearson", "spearman", "r2")


def _check(name: str) -> None:
    if name not in _LINEAR and name not in FORMULAS:
        known = ", ".join([*_LINEAR, *FORMULAS])
        raise SpecError(f"coefficient={name!r}: there is: {known}")


def _blocks(rows: int, size: int) -> Iterator[slice]:
    step = max(1, _BLOCK // max(size, 1))
    for start in range(0, rows, step):
        yield slice(start, start + step)


def _correlation(n: Floats, x: Floats, y: Floats, xx: Floats, yy: Floats, xy: Floats) -> Floats:
    """Return Pearson's coefficient from weighted sums of centred values."""
    with np.errstate(invalid="ignore", divide="ignore"):
        spread_x, spread_y = xx - x * x / n, yy - y * y / n
        # What is left of a constant side after rounding is not a spread.
        flat = (spread_x <= 1e-12 * xx) | (spread_y <= 1e-12 * yy) | (n < 2)
        r: Floats = (xy - x * y / n) / np.sqrt(spread_x * spread_y)
    return np.where(flat, np.nan, np.clip(r, -1, 1))


def _cleared(x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
    """Return values centred over the last axis with 0 for what is missing, and where nothing is
    missing.
    """
    known = ~(np.isnan(x) | np.isnan(y))
    count = np.maximum(known.sum(axis=-1, keepdims=True), 1)
    cleared = []
    for v in (x, y):
        varies = ~is_constant(np.where(known, v, np.nan))[..., None]
        v = np.where(known, v, 0.0)
        centred = v - v.sum(axis=-1, keepdims=True) / count
        cleared.append(np.where(known & varies, centred, 0.0))
    return cleared[0], cleared[1], known.astype(np.float64)


def ranks(x: Floats, weights: Floats) -> Floats:
    """Return mean ranks along the last axis when each value occurs as often as its weight says."""
    order = np.argsort(x, axis=-1, kind="stable")
    values, counts = np.take_along_axis(x, order, -1), np.take_along_axis(weights, order, -1)
    up_to = np.cumsum(counts, axis=-1)
    changes = values[..., 1:] != values[..., :-1]
    edge = np.ones((*x.shape[:-1], 1), bool)
    starts, ends = np.concatenate([edge, changes], -1), np.concatenate([changes, edge], -1)
    before = np.maximum.accumulate(np.where(starts, up_to - counts, 0.0), axis=-1)
    through = np.where(ends, up_to, np.inf)[..., ::-1]
    through = np.minimum.accumulate(through, axis=-1)[..., ::-1]
    result = np.empty_like(up_to)
    np.put_along_axis(result, order, (before + through + 1) / 2, -1)
    return result


def rowwise(name: str, x: Floats, y: Floats, weights: Floats | None = None) -> Floats:
    """Return one coefficient for each row of [rows, outputs]; NaN marks outputs that are not
    there.
    """
    _check(name)
    x, y = np.broadcast_arrays(tie_rounding(x), tie_rounding(y))
    known = ~(np.isnan(x) | np.isnan(y))
    w: Floats = known * np.float64(1) if weights is None else known * weights
    if name in FORMULAS:
        return _pair_rows(name, x, y, w)
    if name == "spearman":
        x, y = (np.where(known, ranks(np.where(known, v, np.inf), w), np.nan) for v in (x, y))
    a, b, _ = _cleared(x, y)
    sums = (w, w * a, w * b, w * a * a, w * b * b, w * a * b)
    r = _correlation(*(v.sum(axis=-1) for v in sums))
    return r**2 if name == "r2" else r


def _pair_rows(name: str, x: Floats, y: Floats, w: Floats) -> Floats:
    n = x.shape[-1]
    i, j = np.triu_indices(n, 1)
    result = np.full(len(x), np.nan)
    for part in _blocks(len(x), n * n // 2):
        xs, ys, ws = (np.where(np.isnan(v[part]), 0.0, v[part]) for v in (x, y, w))
        sx, sy = np.sign(xs[:, i] - xs[:, j]), np.sign(ys[:, i] - ys[:, j])
        both = ws[:, i] * ws[:, j]
        same = sx * sy
        tie_x, tie_y = sx == 0, sy == 0
        pairs = Pairs(
            (both * (same > 0)).sum(axis=1),
            (both * (same < 0)).sum(axis=1),
            (both * (tie_x & ~tie_y)).sum(axis=1),
            (both * (tie_y & ~tie_x)).sum(axis=1),
            (both * (tie_x & tie_y)).sum(axis=1),
            outputs=ws.sum(axis=1),
            distinct=np.minimum(_distinct_rows(xs, ws), _distinct_rows(ys, ws))
            if name == "kendall-c"
            else np.nan,
        )
        result[part] = FORMULAS[name](pairs)
    return result


def _distinct_rows(x: Floats, w: Floats) -> Floats:
    return np.array([np.unique(v[c > 0]).size for v, c in zip(x, w, strict=True)], float)


def resampled(name: str, x: Floats, y: Floats, weights: Floats, *, epsilon: float = 0.0) -> Floats:
    """Return coefficients [draws, groups] of scores [groups, outputs] under weights [draws,
    outputs]. Scores of the metric `x` that differ by at most epsilon are tied.
    """
    _check(name)
    if name in ("pearson", "r2"):
        a, b, known = _cleared(x, y)
        sums = (known, a, b, a * a, b * b, a * b)
        r = _correlation(*(weights @ v.T for v in sums))
        return r**2 if name == "r2" else r
    result = np.full((len(weights), len(x)), np.nan)
    for g, (xs, ys) in enumerate(zip(x, y, strict=True)):
        known = ~(np.isnan(xs) | np.isnan(ys))
        a, b, w = tie_rounding(xs[known]), tie_rounding(ys[known]), weights[:, known]
        if not a.size:
            continue
        for part in _blocks(len(w), a.size):
            if name in FORMULAS:
                result[part, g] = FORMULAS[name](_weighted_pairs(a, b, w[part], epsilon))
            else:
                shape = w[part].shape
                result[part, g] = rowwise(
                    name, np.broadcast_to(a, shape), np.broadcast_to(b, shape), w[part]
                )
    return result


def _weighted_pairs(x: Floats, y: Floats, w: Floats, epsilon: float) -> Pairs:
    """Count the pairs of each draw, [draws]."""
    n = w.sum(axis=1)
    copies = (w * (w - 1)).sum(axis=1) / 2  # pairs of an output with itself
    total = n * (n - 1) / 2 - copies
    tied_y, kinds_y = _runs(w, y)
    tied_x, kinds_x = _runs(w, x)
    tied_both, _ = _runs(w, x, y)
    tied_x, tied_y, tied_both = tied_x - copies, tied_y - copies, tied_both - copies
    # Single precision holds these whole numbers exactly.
    single = w.astype(np.float32)
    difference = np.zeros(len(w))
    if epsilon:
        tied_x = tied_both = -(w * w).sum(axis=1) / 2  # the diagonal
    for rows in _blocks(x.size, x.size):
        dx, dy = x[rows, None] - x, y[rows, None] - y
        if epsilon:
            dx[np.abs(dx) <= epsilon] = 0
            tied_x = tied_x + _form(single, rows, dx == 0) / 2
            tied_both = tied_both + _form(single, rows, (dx == 0) & (dy == 0)) / 2
        difference += _form(single, rows, np.sign(dx) * np.sign(dy)) / 2
    decided = total - tied_x - tied_y + tied_both
    return Pairs(
        (decided + difference) / 2,
        (decided - difference) / 2,
        tied_x - tied_both,
        tied_y - tied_both,
        tied_both,
        outputs=n,
        distinct=np.minimum(kinds_x, kinds_y),
    )


def _form(w: np.ndarray, rows: slice, matrix: np.ndarray) -> Floats:
    """Add up w_i w_j m_ij over the given rows of the matrix, for each draw."""
    products = w @ matrix.astype(np.float32).T
    result: Floats = np.einsum("bi,bi->b", products, w[:, rows], dtype=np.float64)
    return result


def _runs(w: Floats, *keys: Floats) -> tuple[Floats, Floats]:
    """Count pairs with equal keys, and distinct keys, for each draw."""
    order = np.lexsort(keys)
    changes = np.zeros(len(order), bool)
    changes[0] = True
    for key in keys:
        changes[1:] |= np.diff(key[order]) != 0
    sizes = np.add.reduceat(w[:, order], np.flatnonzero(changes), axis=1)
    return (sizes * (sizes - 1)).sum(axis=1) / 2, (sizes > 0).sum(axis=1)
