"""Tuples for best–worst scaling: each element equally often, and no two together twice if possible.

Where the numbers allow it the design is cyclic: blocks whose differences are all different are
shifted around a circle of the elements, so that no pair meets twice, each element is in equally
many tuples, and in each place of them equally often. Otherwise tuples are filled one by one, with
the elements that were used least and met each other least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from nlgauge.core.facts.defaults import SEED
from nlgauge.errors import SpecError

Block = tuple[int, ...]
_TRIES = 200  # random starts of the search for blocks
_LOOKED_AT = 64  # elements that compete for a place
_FEW = 100  # elements for which the best of several fillings is taken
_FILLED = 10


@dataclass(frozen=True)
class TupleBalance:
    """The balance of tuples says how often elements, pairs and places occur in them."""

    tuples: int
    least_shown: int
    most_shown: int
    repeated_pairs: int  # meetings beyond the first of each pair
    least_in_place: int  # of an element in one place of the tuples
    most_in_place: int


def best_worst_tuples(
    elements: Sequence[str], *, size: int = 4, times: int = 8, seed: int = SEED
) -> list[tuple[str, ...]]:
    """Return tuples of `size` elements in a random order, each element in `times` of them.

    Eight times in tuples of four makes twice as many tuples as elements (Kiritchenko & Mohammad,
    2016). If the numbers do not divide, some elements are in one tuple more.
    """
    n = len(elements)
    if len(set(elements)) != n:
        raise SpecError("elements of tuples must be different; some occur twice")
    if size < 2 or times < 1 or n < size:
        raise SpecError(
            f"size={size}, times={times}: tuples of 2 or more, at most as large as the {n} "
            "elements, each shown once or more"
        )
    rng = np.random.default_rng(seed)
    blocks = _blocks(n, size, times // size, rng) if times % size == 0 else None
    if blocks is not None:
        made = [tuple((b + shift) % n for b in block) for block in blocks for shift in range(n)]
    else:
        tries = (_filled(n, size, times, rng) for _ in range(_FILLED if n <= _FEW else 1))
        made = _placed(min(tries, key=_repeated), n)
    names = [elements[i] for i in rng.permutation(n)]
    return [tuple(names[e] for e in made[i]) for i in rng.permutation(len(made))]


def tuple_balance(tuples: Sequence[Sequence[str]]) -> TupleBalance:
    """Count how often elements, pairs and places occur in some tuples."""
    if not tuples:
        raise SpecError("there are no tuples to check; give at least one")
    shown = Counter(e for chosen in tuples for e in chosen)
    places = Counter((e, place) for chosen in tuples for place, e in enumerate(chosen))
    size = max(len(chosen) for chosen in tuples)
    in_place = [places[e, place] for e in shown for place in range(size)]
    return TupleBalance(
        len(tuples),
        min(shown.values()),
        max(shown.values()),
        _repeated(tuples),
        min(in_place),
        max(in_place),
    )


def _repeated(tuples: Sequence[Sequence[Any]]) -> int:
    """Return how often two elements meet again."""
    pairs = Counter(frozenset(p) for chosen in tuples for p in combinations(chosen, 2))
    return pairs.total() - len(pairs)


def _blocks(n: int, size: int, count: int, rng: np.random.Generator) -> list[Block] | None:
    """Return blocks all of whose differences, both ways around the circle, are different."""
    if count * size * (size - 1) > n - 1:
        return None  # there are not as many differences
    for _ in range(_TRIES):
        used: set[int] = set()
        blocks: list[Block] = []
        for _ in range(count):
            block = [0]
            for candidate in rng.permutation(np.arange(1, n))[:_TRIES].tolist():
                new = [(candidate - b) % n for b in block] + [(b - candidate) % n for b in block]
                if len(set(new)) == len(new) and not used.intersection(new):
                    block.append(candidate)
                    used.update(new)
                if len(block) == size:
                    break
            if len(block) < size:
                break
            blocks.append(tuple(block))
        if len(blocks) == count:
            return blocks
    return None


def _filled(n: int, size: int, times: int, rng: np.random.Generator) -> list[Block]:
    """Return tuples that are filled one by one; elements are taken in rounds of all."""
    met: Counter[tuple[int, int]] = Counter()
    waiting: list[int] = []
    made = []
    for _ in range(-(-n * times // size)):
        block: list[int] = []
        while len(block) < size:
            free = [e for e in waiting[:_LOOKED_AT] if e not in block]
            if not free:
                again = rng.permutation(n).tolist()
                waiting += again
                continue
            best = min(free, key=lambda e: sum(met[min(e, b), max(e, b)] for b in block))
            waiting.remove(best)
            block.append(best)
        met.update((min(a, b), max(a, b)) for a, b in combinations(block, 2))
        made.append(tuple(block))
    return made


def _placed(tuples: Sequence[Block], n: int) -> list[Block]:
    """Return the tuples in orders that give each element each place about equally often."""
    from scipy.optimize import linear_sum_assignment

    count = np.zeros((n, len(tuples[0])))
    made = []
    for block in tuples:
        rows = np.array(block)
        _, places = linear_sum_assignment(count[rows])
        count[rows, places] += 1
        made.append(tuple(rows[np.argsort(places)].tolist()))
    return made
