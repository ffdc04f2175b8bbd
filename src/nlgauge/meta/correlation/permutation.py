"""Permutation tests between metrics (Deutsch, Dror & Roth, 2021): had two metrics been one, would
swapping their scores at random change the difference of their correlations?

The scores of each metric are standardised and then swapped for whole systems (PERM-SYSTEMS), whole
items (PERM-INPUTS) or single outputs (PERM-BOTH, as in the paper and mt-metrics-eval). `crossed`
swaps systems, then items, which is what nlpstats 0.0.1 calls "both".

All pairs of metrics share the draws and whatever is linear in them: swapped sums for Pearson's
coefficient and for system means, and for Kendall's coefficients of small groups the products
`swap_s · swap_t`, since the order of two outputs depends on no more than who gave their scores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np

from nlgauge.core.facts.defaults import PERMUTATIONS, SEED
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.meta.correlation.permuted_pairs import SMALL, PermutedPairs
from nlgauge.stats.pairs import FORMULAS, agreement
from nlgauge.stats.weighted import rowwise

Swap = Literal["systems", "inputs", "both", "crossed"]
Grouping = Literal["none", "item", "system", "means"]
_BLOCK = 1 << 24  # swaps held in memory at once
_CACHED = 1 << 15  # numbers that stay in the processor's cache


@dataclass(frozen=True, eq=False)
class Permutation:
    """A permutation test has differences of correlations, first minus second metric, for every pair
    of metrics.
    """

    pairs: tuple[tuple[int, int], ...]
    observed: Floats  # [pairs]
    samples: Floats  # [pairs, permutations]

    def p_values(self, alternative: Literal["greater", "two-sided"] = "greater") -> Floats:
        """Return p-values [metrics, metrics]: that the row's metric is not better than the column's
        (greater), or that they are equal. p = (c + 1) / (permutations + 1).
        """
        size = max(max(pair) for pair in self.pairs) + 1
        p = np.full((size, size), np.nan)
        for (i, j), seen, drawn in zip(self.pairs, self.observed, self.samples, strict=True):
            if np.isnan(seen):
                continue
            drawn = drawn[~np.isnan(drawn)]
            slack = 1e-12  # sums differ in their last bits
            if alternative == "two-sided":
                extreme = [np.abs(drawn) >= abs(seen) - slack] * 2
            else:
                extreme = [drawn >= seen - slack, drawn <= seen + slack]
            for (a, b), hits in zip(((i, j), (j, i)), extreme, strict=True):
                p[a, b] = (hits.sum() + 1) / (drawn.size + 1)
        return p


def permutation_test(
    metrics: Floats,
    human: Floats,
    *,
    grouping: Grouping = "none",
    coefficient: str = "pearson",
    swap: Swap = "both",
    permutations: int = PERMUTATIONS,
    seed: int = SEED,
) -> Permutation:
    """Test metrics [metrics, systems, items] with human scores [systems, items], NaN where there is
    no output; `grouping="means"` correlates the means of systems, where [systems] will do for
    people.
    """
    if swap not in get_args(Swap):
        raise SpecError(f"swap={swap!r}: there is: {', '.join(get_args(Swap))}")
    if permutations < 1:
        raise SpecError(f"permutations={permutations}: must be at least 1")
    if len(metrics) < 2:
        raise SpecError("a test between metrics needs two metrics or more")
    if human.ndim == 2 and grouping != "means":
        metrics = np.where(np.isnan(human), np.nan, metrics)
    mean = np.nanmean(metrics, axis=(1, 2), keepdims=True)
    spread = np.nanstd(metrics, axis=(1, 2), keepdims=True)
    x = (metrics - mean) / np.where(spread > 0, spread, np.nan)
    pairs = tuple(combinations(range(len(x)), 2))
    shape = (permutations, *x.shape[1:])
    engine: Any
    if grouping == "means":
        engine = _Means(x, human, coefficient)
    else:
        engine = _engine(*_grouped(x, human, grouping), coefficient)
    blocks = []
    # The first draw swaps nothing: the observed differences.
    for swaps in _swaps(swap, shape, seed):
        grouped = swaps if grouping == "means" else _by_group(swaps, grouping)
        blocks.append(engine.differences(grouped, pairs))
    samples = np.concatenate(blocks, axis=1)
    return Permutation(pairs, samples[:, 0], samples[:, 1:])


def _swaps(swap: Swap, shape: tuple[int, int, int], seed: int) -> Iterator[np.ndarray]:
    """Yield blocks of [draws, systems, items], true where scores change places; the first draw is
    not.
    """
    rng = np.random.default_rng(seed)
    draws, systems, items = shape
    step = max(1, _BLOCK // (systems * items))
    yield np.zeros((1, systems, items), bool)
    for start in range(0, draws, step):
        n = min(step, draws - start)
        rows = rng.integers(2, size=(n, systems, 1), dtype=bool) if swap != "inputs" else False
        if swap == "both":
            yield rng.integers(2, size=(n, systems, items), dtype=bool)
            continue
        columns = rng.integers(2, size=(n, 1, items), dtype=bool) if swap != "systems" else False
        yield np.broadcast_to(np.logical_xor(rows, columns), (n, systems, items))


def _by_group(grid: np.ndarray, grouping: Grouping) -> np.ndarray:
    """Return [..., systems, items] as [..., groups, outputs]."""
    if grouping == "none":
        return grid.reshape(*grid.shape[:-2], 1, -1)
    return np.swapaxes(grid, -1, -2) if grouping == "item" else grid


def _grouped(x: Floats, human: Floats, grouping: Grouping) -> tuple[Floats, Floats]:
    return _by_group(x, grouping), _by_group(human, grouping)


def _engine(x: Floats, z: Floats, coefficient: str) -> Any:
    if coefficient == "pearson":
        return _Sums(x, z)
    if coefficient in FORMULAS and coefficient != "kendall-c" and z.shape[1] <= SMALL:
        return PermutedPairs(x, z, coefficient)
    return _Plain(x, z, coefficient)


def _mean(values: Floats) -> Floats:
    """Return the mean over the last axis of what is defined."""
    known = ~np.isnan(values)
    sums, counts = np.where(known, values, 0.0).sum(axis=-1), known.sum(axis=-1)
    mean: Floats = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return mean


class _Means:
    """This statistic is the correlation of system means."""

    def __init__(self, x: Floats, human: Floats, coefficient: str) -> None:
        counts = (~np.isnan(x[0])).sum(axis=1)
        self.x = np.nan_to_num(x) / np.maximum(counts, 1)[:, None]
        self.human = np.nanmean(human, axis=1) if human.ndim == 2 else human
        self.coefficient = coefficient

    def differences(self, swaps: np.ndarray, pairs: tuple[tuple[int, int], ...]) -> Floats:
        by_system = np.swapaxes(swaps, 0, 1).astype(np.float64)  # [systems, draws, items]
        moved = np.matmul(by_system, np.moveaxis(self.x, 0, -1))  # [systems, draws, metrics]
        means = self.x.sum(axis=2)  # [metrics, systems]
        result = np.empty((len(pairs), len(swaps)))
        for row, (i, j) in enumerate(pairs):
            change = (moved[:, :, j] - moved[:, :, i]).T
            first = rowwise(self.coefficient, means[i] + change, self.human)
            result[row] = first - rowwise(self.coefficient, means[j] - change, self.human)
        return result


class _Sums:
    """This statistic is Pearson's coefficient, from swapped sums of x, x² and x·z in each group."""

    def __init__(self, x: Floats, z: Floats) -> None:
        known = ~(np.isnan(x[0]) | np.isnan(z))
        n = known.sum(axis=1, keepdims=True).clip(1)
        z = np.where(known, z, 0.0)
        z = np.where(known, z - z.sum(axis=1, keepdims=True) / n, 0.0)
        spread = np.sqrt((z * z).sum(axis=1))
        defined = spread > 1e-12
        v, z = np.where(known, x, 0.0)[:, defined], (z[defined] / spread[defined, None])
        # Scaled so that r = Σxz / √(Σx² − (Σx)²).
        self.columns = np.stack([v / np.sqrt(n[defined]), v * v, v * z])  # [3, metrics, groups, n]
        self.defined = defined

    def differences(self, swaps: np.ndarray, pairs: tuple[tuple[int, int], ...]) -> Floats:
        _, metrics, groups, outputs = self.columns.shape
        by_group = np.moveaxis(self.columns.reshape(3 * metrics, groups, outputs), 0, 1)
        totals = self.columns.sum(axis=3)[..., None]
        step = max(1, _CACHED // max(groups, 1))
        result = np.empty((len(pairs), len(swaps)))
        for start in range(0, len(swaps), step):
            part = swaps[start : start + step, self.defined]
            moved = np.matmul(by_group, np.moveaxis(part, 0, 2).astype(np.float64))
            moved = np.ascontiguousarray(np.swapaxes(moved, 0, 1))
            moved = moved.reshape(3, metrics, groups, len(part))
            for row, (i, j) in enumerate(pairs):
                change = moved[:, j] - moved[:, i]
                first = _mean_r(*(totals[:, i] + change))
                result[row, start : start + step] = first - _mean_r(*(totals[:, j] - change))
        return result


def _mean_r(x: Floats, xx: Floats, xz: Floats) -> Floats:
    """Return the mean over groups, [draws], of scaled sums [groups, draws]."""
    spread = xx - x * x
    flat = spread <= 1e-12 * xx
    if not flat.any():
        whole: Floats = (xz / np.sqrt(spread)).mean(axis=0)
        return whole
    spread[flat] = np.nan
    return _mean((xz / np.sqrt(spread)).T)


class _Plain:
    """This statistic is any coefficient, computed for one mixture after the other."""

    def __init__(self, x: Floats, z: Floats, coefficient: str) -> None:
        self.x, self.z, self.coefficient = x, z, coefficient

    def differences(self, swaps: np.ndarray, pairs: tuple[tuple[int, int], ...]) -> Floats:
        result = np.empty((len(pairs), len(swaps)))
        for row, (i, j) in enumerate(pairs):
            a, b = self.x[i], self.x[j]
            for k, swap in enumerate(swaps):
                first, second = np.where(swap, b, a), np.where(swap, a, b)
                result[row, k] = self._value(first) - self._value(second)
        return result

    def _value(self, x: Floats) -> float:
        if self.z.shape[1] > SMALL and self.coefficient in FORMULAS:
            values = [agreement(self.coefficient, a, b) for a, b in zip(x, self.z, strict=True)]
            return float(_mean(np.array(values)))
        return float(_mean(rowwise(self.coefficient, x, self.z)))
