"""How ROUGE-1.5.5 averages: over 1000 bootstrap samples, drawn with Perl's generator seeded 0..999.

What the tool prints as "Average" is the mean of the samples' means, not the mean itself. Its
difference to the mean, and the limits of the intervals, are columns of the profile's rows, which
count from two segments on; sums of parts of a corpus are therefore not the tool's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Floats

RESAMPLES = 1000
_STATE = (1 << 48) - 1
_FACTOR, _STEP, _LOW_BITS = 0x5DEECE66D, 0xB, 0x330E  # of drand48


class Average(NamedTuple):
    """An average and its limits as the tool prints them, with five decimals."""

    mean: float
    low: float
    high: float


def _jumps(n: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Return a and b such that a[k] * x + b[k] is the generator's state k + 1 steps after x."""
    a = np.array([_FACTOR], np.uint64)
    b = np.array([_STEP], np.uint64)
    while len(a) < n:
        b = np.concatenate([b, a * b[-1] + b])  # modulo 2^64, of which 2^48 is a divisor
        a = np.concatenate([a, a * a[-1]])
    return a[:n], b[:n]


def _draws(n: int) -> Iterator[npt.NDArray[np.int64]]:
    """Yield, for every resample, which of n items are drawn."""
    a, b = _jumps(n)
    for seed in range(RESAMPLES):
        state = (a * np.uint64((seed << 16) + _LOW_BITS) + b) & np.uint64(_STATE)
        yield (state * 2.0**-48 * n).astype(np.int64)


def resampled(rows: Floats, score: Callable[[Floats], Floats]) -> Floats:
    """Return the scores of the resamples' summed rows, which stand in the order of the tool's
    sorted ids.
    """
    sums = np.array([rows[drawn].sum(axis=0) for drawn in _draws(len(rows))])
    return score(sums)


def sorted_as_text(ids: list[str]) -> list[int]:
    """Return the positions in the order in which the tool draws from them."""
    return sorted(range(len(ids)), key=ids.__getitem__)


def average(scores: Floats, level: float) -> Average:
    """Return the average of the resamples' scores and its confidence interval."""
    ranked = np.sort(scores)
    beyond = RESAMPLES * ((100 - level) / 2) / 100
    upper, lower = int(RESAMPLES - beyond - 1), int(beyond)
    share = RESAMPLES - beyond - 1 - upper

    def between(at: int) -> float:
        above = ranked[min(at + 1, RESAMPLES - 1)]
        return round(float(ranked[at] + (above - ranked[at]) * share), 5)

    return Average(
        round(float(np.cumsum(ranked)[-1]) / RESAMPLES, 5), between(lower), between(upper)
    )
