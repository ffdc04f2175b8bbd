"""Import the native module, for all others: metrics reach it as `kernels.native`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nlgauge import _native as native
from nlgauge._native import Kernel, Reading, Texts
from nlgauge.errors import SpecError

if TYPE_CHECKING:
    from nlgauge.data.corpus import Corpus

Floats = npt.NDArray[np.float64]

__all__ = [
    "ENCODER_KERNELS",
    "MOST_THREADS",
    "Floats",
    "Kernel",
    "Reading",
    "Texts",
    "available_threads",
    "checked_threads",
    "native",
    "rows",
    "transport",
]

try:
    # The instruction set of encoders. Tests choose another by the variable NLGAUGE_KERNELS; those
    # with fused multiply-add, which all but old processors have, give the same bits.
    ENCODER_KERNELS = native.kernels()
except ValueError as error:
    raise SpecError(str(error)) from None

_CHUNK = 128  # segments that a thread takes at a time
MOST_THREADS = 1024  # more than any machine has use for


def checked_threads(given: object) -> int:
    """Return how many threads were asked for; None stands for all processors."""
    if given is None:
        return min(available_threads(), MOST_THREADS)
    if isinstance(given, (bool, np.bool_)) or not isinstance(given, (int, np.integer)):
        raise SpecError(
            f"threads={given!r}: expected a whole number from 1 to {MOST_THREADS}, or None for all "
            "processors"
        )
    if given < 1:
        raise SpecError(f"threads={given}: must be at least 1")
    if given > MOST_THREADS:
        raise SpecError(
            f"threads={given}: must be at most {MOST_THREADS}; this machine has "
            f"{available_threads()} processors"
        )
    return int(given)


def available_threads() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def rows(
    corpus: Corpus,
    kernels: Sequence[Kernel],
    *,
    tokenizer: str = "space",
    lowercase: bool = False,
    reading: Reading | None = None,
    threads: int = 1,
    on_rows: Callable[[int], None] | None = None,
) -> list[Floats]:
    """Return one matrix `[segments, columns]` per kernel, from one pass over the texts; `on_rows`
    hears how many rows are done.
    """
    threads = checked_threads(threads)
    wanted = (tokenizer, lowercase, list(kernels), threads, reading)
    refs = corpus.references
    if on_rows is None:
        return native.compute_rows(
            corpus.hypotheses, refs.flat, refs.starts, corpus.reference_weights, *wanted
        )
    # Threads take 128 segments at a time, so that fewer would leave some of them idle.
    size = 1 if len(corpus) <= _CHUNK else _CHUNK * threads
    hyp_slices, ref_slices = _Slices(corpus.hypotheses), _Slices(refs.flat)
    found = []
    for first in range(0, len(corpus), size):
        last = min(first + size, len(corpus))
        start, end = int(refs.starts[first]), int(refs.starts[last])
        weights = corpus.reference_weights
        found.append(
            native.compute_rows(
                hyp_slices.take(first, last),
                ref_slices.take(start, end),
                refs.starts[first : last + 1] - start,
                None if weights is None else weights[start:end],
                *wanted,
            )
        )
        on_rows(last)
    return [np.concatenate(parts) for parts in zip(*found, strict=True)]


class _Slices:
    """Parts of texts, which are copied block by block and never become Python's strings."""

    def __init__(self, texts: Texts) -> None:
        self._data, self._offsets = texts.__getstate__()

    def take(self, first: int, last: int) -> Texts:
        offsets = self._offsets[first : last + 1]
        found = Texts.__new__(Texts)
        found.__setstate__((self._data[offsets[0] : offsets[-1]], offsets - offsets[0]))
        return found


def transport(
    left: Sequence[Floats],
    right: Sequence[Floats],
    costs: Sequence[Floats],
    *,
    flows: bool = False,
    threads: int = 1,
) -> tuple[Floats, list[Floats]]:
    """Return the least costs of moving masses, exactly, for many problems at once.

    Problem k moves the masses left[k] to right[k], each in proportion to their sum, at costs[k]
    (one row for each of left[k]). Returned are the costs, NaN where a side has no mass, and if
    asked for how much moves from where to where.
    """
    total, moved = native.transport(
        _joined(left),
        _starts([len(masses) for masses in left]),
        _joined(right),
        _starts([len(masses) for masses in right]),
        _joined([np.ravel(matrix) for matrix in costs]),
        flows=flows,
        threads=checked_threads(threads),
    )
    if not flows:
        return total, []
    places = _starts([np.size(matrix) for matrix in costs])[1:-1]
    parts = np.split(moved, places) if len(costs) else []
    return total, [m.reshape(np.shape(c)) for m, c in zip(parts, costs, strict=True)]


def _joined(arrays: Sequence[Floats]) -> Floats:
    if len(arrays) == 1:  # maybe a large one
        return np.ascontiguousarray(arrays[0], np.float64)
    return np.concatenate([np.zeros(0), *arrays]).astype(np.float64, copy=False)


def _starts(sizes: Sequence[int]) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
