"""Approximate randomisation: would relabelling which system made which output change anything?

For each trial every segment's statistics are swapped between two systems with probability ½. The
pseudo systems' sums are `T_b + swap·(A − B)` and `T_a − swap·(A − B)`, so that one matrix product
per system serves all pairs of systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.metric import totals
from nlgauge.stats.resampling import SEED
from nlgauge.table import ScoreTable

TRIALS = 10_000
_BLOCK = 1 << 20  # swaps held in memory at once

Pair = tuple[str, str]


def _swaps(n: int, trials: int, seed: int) -> Iterator[Floats]:
    """Blocks of 0/1 matrices [some trials, n], in sacreBLEU's stream of draws."""
    rng = np.random.default_rng(seed)
    step = max(1, _BLOCK // n)
    for start in range(0, trials, step):
        yield rng.integers(2, size=(min(step, trials - start), n), dtype=bool).astype(np.float64)


def randomisation(
    table: ScoreTable,
    pairs: Sequence[Pair] | None = None,
    *,
    trials: int = TRIALS,
    seed: int = SEED,
) -> dict[tuple[str, str, str], float]:
    """p-values by (system, system, metric); of all pairs unless told which.

    p = (c + 1) / (trials + 1), c the trials whose difference is at least the observed one; equal
    systems get 1.
    """
    if trials < 1:
        raise SpecError(f"trials={trials}: must be at least 1")
    pairs = list(combinations(table.systems, 2)) if pairs is None else pairs
    swapped = _swapped_sums(table, trials, seed)
    p_values = {}
    for column in table.columns:
        scale = column.metric.info.scale
        for a, b in pairs:
            key = (a, column.name), (b, column.name)
            total_a, total_b = (totals(table.rows_of(*k)) for k in key)
            moved = swapped[key[0]] - swapped[key[1]]
            first = column.metric.score(total_b + moved) * scale
            second = column.metric.score(total_a - moved) * scale
            actual = abs(table[key[0]].score - table[key[1]].score)
            # Sums of non-integers differ in their last bits with the order of addition.
            extreme = np.count_nonzero(np.abs(first - second) >= actual - 1e-12 * max(actual, 1))
            p_values[a, b, column.name] = float((extreme + 1) / (trials + 1))
    return p_values


def _swapped_sums(table: ScoreTable, trials: int, seed: int) -> dict[tuple[str, str], Floats]:
    """For each system and metric, the sums of the rows that each trial swaps: [trials, k]."""
    keys = [(system, column.name) for system in table.systems for column in table.columns]
    joined = np.hstack([table.rows_of(*key) for key in keys])
    sums = np.vstack([swaps @ joined for swaps in _swaps(len(joined), trials, seed)])
    ends = np.cumsum([table.rows_of(*key).shape[1] for key in keys])[:-1]
    return dict(zip(keys, np.split(sums, ends, axis=1), strict=True))
