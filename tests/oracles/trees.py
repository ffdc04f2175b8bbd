"""Trees by enumeration: every fragment is written out. Labels and heads as in `Tree`."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence

Labels, Heads = Sequence[str], Sequence[int]


def children(heads: Heads, node: int) -> list[int]:
    return [i for i, head in enumerate(heads) if head == node]


def subtrees(labels: Labels, heads: Heads, node: int) -> Iterator[tuple]:
    """All subtrees rooted at a node: its whole production, each child alone or with a subtree."""
    below = children(heads, node)
    if not below:
        return
    choices = [[(labels[c],), *subtrees(labels, heads, c)] for c in below]
    for chosen in itertools.product(*choices):
        yield (labels[node], *chosen)


def tree_cosine(a: tuple[Labels, Heads], b: tuple[Labels, Heads]) -> float:
    bags = [Counter(s for n in range(len(t[0])) for s in subtrees(*t, n)) for t in (a, b)]
    dot = sum(n * bags[1][s] for s, n in bags[0].items())
    norms = [sum(n * n for n in bag.values()) for bag in bags]
    return dot / math.sqrt(norms[0] * norms[1]) if all(norms) else 0.0


def ancestors(heads: Heads, node: int) -> list[int]:
    """From the root down to the head."""
    found: list[int] = []
    while heads[node] >= 0:
        node = heads[node]
        found.insert(0, node)
    return found


def chains(labels: Labels, heads: Heads, size: int, *, skip: bool) -> Counter:
    """Sequences of heads that end in any node; with `skip`, of any ancestors."""
    found: Counter = Counter()
    for node in range(len(labels)):
        above = ancestors(heads, node)
        picks = (
            itertools.combinations(above, size - 1) if skip else [above[len(above) + 1 - size :]]
        )
        for pick in picks:
            if len(pick) == size - 1:
                found[tuple(labels[i] for i in (*pick, node))] += 1
    return found


def height(heads: Heads, node: int) -> int:
    return 1 + max((height(heads, c) for c in children(heads, node)), default=0)


def cut(labels: Labels, heads: Heads, node: int, levels: int) -> tuple:
    below = children(heads, node) if levels > 1 else []
    return (labels[node], *(cut(labels, heads, c, levels - 1) for c in below))


def levelled(labels: Labels, heads: Heads, levels: int) -> Counter:
    """Trees cut after so many levels, where there are as many."""
    nodes = [n for n in range(len(labels)) if height(heads, n) >= levels]
    return Counter(cut(labels, heads, n, levels) for n in nodes)
