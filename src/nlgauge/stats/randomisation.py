"""Approximate randomisation: would relabelling which system made which output change anything?

For each trial every segment's statistics are swapped between two systems with probability ½. The
pseudo systems' sums are `T_b + swap·(A − B)` and `T_a − swap·(A − B)`; the sums `swap·A` of one
system serve all its pairs. Trials whose difference equals the observed one count, as in the paper;
sacreBLEU counts larger ones only (`test=paired-ar`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import combinations

import numpy as np

from nlgauge.core.facts.defaults import SEED, TRIALS
from nlgauge.core.metric import Metric, totals
from nlgauge.core.table import ScoreTable
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats, checked_threads, native

_BLOCK = 1 << 28  # swaps held in memory at once, one bit each
_WORD = 32  # swaps in one random number
_SUMS = 1 << 25  # numbers that swapped sums may have at once: a quarter of a gigabyte

Pair = tuple[str, str]


def _swaps(n: int, trials: int, seed: int) -> Iterator[native.Picks]:
    """Yield blocks of trials that swap some of n segments each, in sacreBLEU's stream of draws:
    NumPy makes random booleans of the bits of random words, the lowest first.
    """
    rng = np.random.default_rng(seed)
    step = max(_WORD, _BLOCK // n // _WORD * _WORD)
    for start in range(0, trials, step):
        size = min(step, trials - start)
        words = rng.integers(0, 1 << _WORD, size=-(-size * n // _WORD), dtype=np.uint32)
        yield native.Picks(words, size, n)


def randomisation(
    table: ScoreTable,
    pairs: Sequence[Pair] | None = None,
    *,
    trials: int = TRIALS,
    seed: int = SEED,
    ties: bool = True,
    threads: int | None = None,
) -> dict[tuple[str, str, str], float]:
    """Return p-values by (system, system, metric), of all pairs unless told which.

    p = (c + 1) / (trials + 1), c the trials whose difference is at least the observed one, or,
    without `ties`, larger than it: what sacreBLEU counts, with the same draws. Equal systems get 1.
    """
    if trials < 1:
        raise SpecError(f"trials={trials}: must be at least 1")
    pairs = list(combinations(table.systems, 2)) if pairs is None else pairs
    systems = list(dict.fromkeys(system for pair in pairs for system in pair))
    p_values = {}
    threads = checked_threads(threads)
    with ThreadPoolExecutor(threads) as pool:
        for column in table.columns:
            rows = {system: table.rows_of(system, column.name) for system in systems}
            sums = {system: totals(table) for system, table in rows.items()}
            found: dict[Pair, float] = {}
            most = max(2, _SUMS // (trials * max(1, len(sums[systems[0]]))))
            for group in _groups(pairs, systems, most):
                alone = len(pairs) < len(systems)
                swapped = _swapped_sums(rows, group, alone, trials, seed, threads)
                p_value = partial(_p_value, column.metric, sums, swapped, ties)
                found.update(zip(group, pool.map(p_value, group), strict=True))
            p_values.update({(a, b, column.name): found[a, b] for a, b in pairs})
    return p_values


def _groups(pairs: Sequence[Pair], systems: Sequence[str], most: int) -> Iterator[list[Pair]]:
    """Yield the pairs in groups that need the sums of at most so many systems or pairs."""
    if len(pairs) < len(systems):  # sums are those of pairs
        for start in range(0, len(pairs), most):
            yield list(pairs[start : start + most])
        return
    if len(systems) <= most:
        yield list(pairs)
        return
    part = {system: i // (most // 2) for i, system in enumerate(systems)}
    groups: dict[tuple[int, int], list[Pair]] = {}
    for a, b in pairs:
        groups.setdefault((part[a], part[b]), []).append((a, b))
    yield from groups.values()


def _p_value(
    metric: Metric,
    sums: Mapping[str, Floats],
    swapped: Mapping[str | Pair, Floats],
    ties: bool,
    pair: Pair,
) -> float:
    """Return the p-value of one pair, from the systems' sums and what each trial swaps."""
    a, b = pair
    moved = swapped[pair] if pair in swapped else swapped[a] - swapped[b]
    scale = metric.info.scale
    actual = abs(float(metric.score(sums[a]) - metric.score(sums[b]))) * scale
    if actual == 0 or np.isnan(actual):
        return 1.0 if actual == 0 else actual
    first, second = metric.score(sums[b] + moved), metric.score(sums[a] - moved)
    # Sums of non-integers differ in their last bits with the order of addition.
    least = actual + (-1e-12 if ties else 1e-12) * max(actual, 1)
    extreme = np.count_nonzero(np.abs(first - second) * scale >= least)
    return float((extreme + 1) / (len(moved) + 1))


def _swapped_sums(
    rows: Mapping[str, Floats],
    pairs: Sequence[Pair],
    alone: bool,
    trials: int,
    seed: int,
    threads: int,
) -> dict[str | Pair, Floats]:
    """Add up the rows that each trial swaps, [trials, k]: of each system, or (`alone`, where pairs
    are fewer) of the differences of each pair.
    """
    tables: dict[str | Pair, Floats]
    if alone:
        tables = {(a, b): rows[a] - rows[b] for a, b in pairs}
    else:
        tables = {system: rows[system] for pair in pairs for system in pair}
    contiguous = [np.ascontiguousarray(table) for table in tables.values()]
    drawn = _swaps(len(contiguous[0]), trials, seed)
    blocks = [picks.sums(contiguous, threads=threads) for picks in drawn]
    joined = blocks[0] if len(blocks) == 1 else map(np.vstack, zip(*blocks, strict=True))
    return dict(zip(tables, joined, strict=True))
