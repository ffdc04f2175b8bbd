"""All trees and all sets of disjoint spans of a few words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

Spans = frozenset[tuple[int, int]]


@cache
def binary_trees(start: int, end: int) -> tuple[Spans, ...]:
    """The spans of each way to join the words [start, end) two by two."""
    own = frozenset({(start, end)})
    if end - start == 1:
        return (own,)
    return tuple(
        own | left | right
        for split in range(start + 1, end)
        for left in binary_trees(start, split)
        for right in binary_trees(split, end)
    )


def disjoint_sets(n: int) -> Iterator[Spans]:
    """All sets of spans of n words that do not overlap."""
    spans = [(i, j) for i in range(n) for j in range(i + 1, n + 1)]
    for size in range(n + 1):
        for some in combinations(spans, size):
            if all(a[1] <= b[0] or b[1] <= a[0] for a, b in combinations(some, 2)):
                yield frozenset(some)
