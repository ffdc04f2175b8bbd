"""Add up what metrics count in the parts of a corpus before they score any of them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from nlgauge.kernels import native

# Numbers, arrays, Counters, native.Frequencies, tuples and lists of these; or None. All of them can
# be pickled, and adding them up is exact, so that neither the parts nor their order show.
Counts = Any


def merged_counts(left: Counts, right: Counts) -> Counts:
    """Return what was counted in two parts; the tables of the first may be used for it."""
    if left is None or right is None:
        return right if left is None else left
    if isinstance(left, tuple | list):
        return type(left)(merged_counts(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, Counter):
        left.update(right)
        return left
    if isinstance(left, native.Frequencies):
        left.merge(right)
        return left
    return left + right


def size_of_counts(counts: Counts) -> int:
    """Return about how many bytes of memory tables take."""
    if isinstance(counts, tuple | list):
        return sum(map(size_of_counts, counts))
    if isinstance(counts, Counter):
        return 150 * len(counts)  # a str, a number and their place in the table
    if isinstance(counts, native.Frequencies | np.ndarray):
        return counts.nbytes
    return 0
