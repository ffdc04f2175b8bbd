"""The Poisson bootstrap (Chamandy et al., 2012), for parts of a corpus that are resampled apart.

How often a resample has a segment is drawn from a Poisson distribution of mean 1, by the seed, the
segment's number in the corpus and the number of the resample alone. Statistics are rounded to
multiples of 2^-24 and summed as whole numbers of these: sums of parts can be added in any order,
and how the corpus was cut shows in no digit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nlgauge.core.facts.defaults import RESAMPLES, SEED
from nlgauge.core.metric import Interval
from nlgauge.core.table import ScoreTable
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats, native

PoissonSums = npt.NDArray[np.int64]  # [resamples, columns], in units of 2^-24

POISSON = "poisson"  # the name of this bootstrap in signatures
_UNIT = 2.0**24
_TOGETHER = 8192  # rows whose sums are computed as floating-point numbers, exactly
_MOST_DRAWN = 13  # how often a resample can have a segment
_EXACT = 2.0**53 / _UNIT  # sums of rounded statistics below this are exact
_LARGEST = 1 << 62
_UNDEFINED = np.iinfo(np.int64).min  # the sum of a statistic that has no value for some segment


@dataclass(frozen=True)
class PoissonInterval(Interval):
    """An interval of the Poisson bootstrap, in which the number of times that a resample has a
    segment depends on the seed and the segment's number alone.
    """

    method: str = "Poisson bootstrap"  # type: ignore[misc]


def poisson_sums(
    tables: Sequence[Floats], *, first: int, resamples: int, seed: int
) -> list[PoissonSums]:
    """Add up the statistics of resamples, for each table of rows [n, k] the same draws; `first` is
    the number of the first row in the corpus, from 0.
    """
    if resamples < 1:
        raise SpecError(f"resamples={resamples}: must be at least 1")
    joined = np.ascontiguousarray(np.hstack(tables), np.float64)
    undefined = ~np.isfinite(joined).all(axis=0)
    joined[:, undefined] = 0
    sums = np.zeros((resamples, joined.shape[1]), np.int64)
    for start, end in _spans(joined):
        part = native.poisson_totals(
            joined[start:end], first=first + start, seed=seed, resamples=resamples
        )
        sums += np.rint(part * _UNIT).astype(np.int64)
    sums[:, undefined] = _UNDEFINED
    return np.split(sums, np.cumsum([table.shape[1] for table in tables])[:-1], axis=1)


def _spans(rows: Floats) -> Iterator[tuple[int, int]]:
    """Yield spans of rows in which no sum can need rounding: single ones where numbers are huge."""
    waiting = [(a, min(a + _TOGETHER, len(rows))) for a in range(0, len(rows), _TOGETHER)]
    while waiting:
        start, end = waiting.pop()
        largest = np.abs(rows[start:end]).sum(axis=0).max(initial=0.0) * _MOST_DRAWN
        if largest < _EXACT or end - start == 1:
            yield start, end
        else:
            middle = (start + end) // 2
            waiting += [(start, middle), (middle, end)]


def merged_sums(left: PoissonSums, right: PoissonSums) -> PoissonSums:
    """Return the sums of two parts together."""
    largest = max(int(np.abs(part).max(initial=0)) for part in (left, right))
    if largest >= _LARGEST >> 1:
        raise DataError(
            f"sums of resamples exceed {_LARGEST / _UNIT:.0f}; score the corpus in several runs"
        )
    return np.where((left == _UNDEFINED) | (right == _UNDEFINED), _UNDEFINED, left + right)


def plain_sums(sums: PoissonSums) -> Floats:
    """Return sums of resamples as numbers, rounded once."""
    return np.where(sums == _UNDEFINED, np.nan, sums / _UNIT)


def poisson_counts(
    numbers: npt.NDArray[np.intp], *, resamples: int, seed: int
) -> npt.NDArray[np.uint8]:
    """Return how often resamples have the segments of these numbers: [resamples, segments]."""
    counts = np.empty((resamples, len(numbers)), np.uint8)
    one = np.ones((1, 1))
    for column, number in enumerate(numbers.tolist()):
        found = native.poisson_totals(one, first=number, seed=seed, resamples=resamples)
        counts[:, column] = found[:, 0]
    return counts


def poisson_scores(
    table: ScoreTable, *, resamples: int = RESAMPLES, seed: int = SEED
) -> dict[tuple[str, str], Floats]:
    """Return scores of resampled corpora, on the printed scale, by system and metric."""
    keys = [(system, column) for system in table.systems for column in table.columns]
    rows = [table.rows_of(system, column.name) for system, column in keys]
    sums = poisson_sums(rows, first=0, resamples=resamples, seed=seed)
    return {
        (system, column.name): column.metric.score(plain_sums(own)) * column.metric.info.scale
        for (system, column), own in zip(keys, sums, strict=True)
    }


def poisson_p_value(baseline: Floats, system: Floats, observed: float) -> float:
    """Return the two-sided p-value of a difference: how often that of a resample lies as far from
    the mean of all resamples as the observed one lies from 0. Two equal systems get 1.
    """
    if observed == 0 or np.isnan(observed):
        return 1.0 if observed == 0 else float("nan")
    differences = system - baseline
    away = np.abs(differences - differences.mean())
    return float((np.count_nonzero(away >= abs(observed)) + 1) / (len(away) + 1))
