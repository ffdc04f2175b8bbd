"""Bootstrap resampling of segments, which works on sufficient statistics.

The draws are those of sacreBLEU (NumPy's PCG64 stream for the same seed), so that intervals and
p-values can be compared with its own, up to its single-precision sums.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlgauge.core.facts.defaults import CONFIDENCE, RESAMPLES, SEED
from nlgauge.core.metric import Interval
from nlgauge.core.table import ScoreTable
from nlgauge.errors import NlgaugeWarning, SpecError
from nlgauge.kernels import Floats, native

_WORD = (1 << 64) - 1


def _generator(seed: int) -> np.ndarray:
    """Return the state of NumPy's generator: its state and its increment in words of 64 bits."""
    state: Any = np.random.PCG64(seed).state["state"]
    numbers = (state["state"], state["inc"])
    return np.array([n >> shift & _WORD for n in numbers for shift in (64, 0)], np.uint64)


def bootstrap_totals(
    tables: Sequence[Floats], *, resamples: int = RESAMPLES, seed: int = SEED
) -> list[Floats]:
    """Add up the statistics of resampled corpora, [resamples, k] for each table of rows [n, k].

    All tables are resampled together: the b-th rows of the results belong to the same draw.
    """
    if resamples < 1:
        raise SpecError(f"resamples={resamples}: must be at least 1")
    joined = np.ascontiguousarray(np.hstack(tables), np.float64)
    sums = native.bootstrap_totals(joined, _generator(seed), resamples)
    ends = np.cumsum([table.shape[1] for table in tables])[:-1]
    return np.split(sums, ends, axis=1)


def interval(scores: Floats, *, level: float = CONFIDENCE, seed: int = SEED) -> Interval:
    """Return the percentile interval of the scores of resampled corpora."""
    if not 0 < level < 1:
        raise SpecError(f"level={level}: must lie between 0 and 1")
    ordered = np.full_like(scores, np.nan) if np.isnan(scores).any() else np.sort(scores)
    cut = int(len(scores) * (1 - level) / 2 + 1e-9)
    low, high = ordered[cut], ordered[len(scores) - cut - 1]
    return Interval(float(low), float(high), float(ordered.mean()), level, len(scores), seed)


def paired_p_value(baseline: Floats, system: Floats, observed: float) -> float:
    """Return the p-value of Koehn's paired bootstrap as sacreBLEU does it: how often a resampled
    difference, centred, exceeds the observed one. Unlike there, two equal systems get 1.
    """
    return _exceeding(baseline, system, observed, ties=False)


def shift_p_value(baseline: Floats, system: Floats, observed: float) -> float:
    """Return the p-value of the shift method of Riezler and Maxwell (2005): the same, where
    equality is exceeding.
    """
    return _exceeding(baseline, system, observed, ties=True)


def _exceeding(baseline: Floats, system: Floats, observed: float, *, ties: bool) -> float:
    if observed == 0 or np.isnan(observed):
        return 1.0 if observed == 0 else float("nan")
    differences = np.abs(system - baseline)
    centred = differences - differences.mean()
    exceeding = centred >= abs(observed) if ties else centred > abs(observed)
    return float((np.count_nonzero(exceeding) + 1) / (len(differences) + 1))


def resampled_scores(
    table: ScoreTable, *, resamples: int = RESAMPLES, seed: int = SEED
) -> dict[tuple[str, str], Floats]:
    """Return scores of resampled corpora, on the printed scale, by system and metric."""
    keys = [(system, column) for system in table.systems for column in table.columns]
    if table.segments == 1:
        warnings.warn(
            "there is one segment, so that every resample is the same: intervals and tests say "
            "nothing; give more segments",
            NlgaugeWarning,
            stacklevel=2,
        )
    sums = bootstrap_totals(
        [table.rows_of(system, column.name) for system, column in keys],
        resamples=resamples,
        seed=seed,
    )
    return {
        (system, column.name): column.metric.score(totals) * column.metric.info.scale
        for (system, column), totals in zip(keys, sums, strict=True)
    }


def bootstrap(
    table: ScoreTable, *, level: float = CONFIDENCE, resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[dict[tuple[str, str], Interval], dict[tuple[str, str], float]]:
    """Return intervals of every system and metric, and p-values of every system against the
    first.
    """
    resampled = resampled_scores(table, resamples=resamples, seed=seed)
    return summarised(table, resampled, level=level, seed=seed)


def summarised(
    table: ScoreTable,
    resampled: Mapping[tuple[str, str], Floats],
    *,
    level: float = CONFIDENCE,
    seed: int = SEED,
) -> tuple[dict[tuple[str, str], Interval], dict[tuple[str, str], float]]:
    """Return the intervals and p-values that resampled scores give, by system and metric."""
    intervals, p_values = {}, {}
    for key, scores in resampled.items():
        intervals[key] = interval(scores, level=level, seed=seed)
        baseline = (table.systems[0], key[1])
        if key != baseline:
            observed = table[key].score - table[baseline].score
            p_values[key] = paired_p_value(resampled[baseline], scores, observed)
    return intervals, p_values
