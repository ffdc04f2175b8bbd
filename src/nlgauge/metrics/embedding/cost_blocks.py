"""Costs of moving words, held in blocks: memory is bounded, and Ctrl-C is heard between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

CELLS = 4_000_000  # costs that are held at once, but for those of a longer pair
IN_CACHE = 250_000  # numbers on the way to costs, which memory would slow down to half the speed


def pair_blocks(costs: Sequence[int]) -> Iterator[slice]:
    """Cut pairs, given how many costs each has, into runs that have about CELLS costs together."""
    ends = np.flatnonzero(np.diff(np.cumsum(costs) // CELLS)) + 1
    for start, end in pairwise([0, *ends.tolist(), len(costs)]):
        yield slice(start, end)


def row_blocks(rows: int, width: int) -> Iterator[slice]:
    """Cut the rows of a matrix, each of which takes `width` numbers, into blocks of IN_CACHE."""
    size = max(IN_CACHE // max(width, 1), 1)
    for start in range(0, rows, size):
        yield slice(start, start + size)
