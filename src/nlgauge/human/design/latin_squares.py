"""Orders in which everything comes first, second and so on equally often.

In a Latin square each condition stands once in every row and column. In Williams' (1949) every
condition also follows every other equally often, which an even number of conditions does with one
square and an odd one with two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from nlgauge.errors import SpecError

_T = TypeVar("_T")


def williams_square(conditions: int) -> list[list[int]]:
    """Return the rows of Williams' design: as many as conditions, or twice as many if these are
    odd.
    """
    if conditions < 1:
        raise SpecError(f"conditions={conditions}: must be 1 or more")
    # 0, 1, n − 1, 2, n − 2, ...: neighbours differ by all steps there are.
    first = [(step + 1) // 2 if step % 2 else -step // 2 for step in range(conditions)]
    rows = [[(c + shift) % conditions for c in first] for shift in range(conditions)]
    return rows if conditions % 2 == 0 or conditions == 1 else rows + [row[::-1] for row in rows]


def counterbalanced(
    conditions: Sequence[_T], subjects: int, *, seed: int, last: _T | None = None
) -> list[tuple[_T, ...]]:
    """Return the order of the conditions for each subject.

    Subjects take the rows of Williams' design in turn, in a random order of rows and names; over
    whole rounds of it each condition has each place, and each neighbour before it, equally often.
    `last` is a condition that always ends the order, as the full text does in Relevance-Prediction.
    """
    if subjects < 1:
        raise SpecError(f"subjects={subjects}: must be 1 or more")
    moved = [c for c in conditions if last is None or c != last]
    if len(set(moved)) != len(moved) or not moved:
        raise SpecError(f"conditions={list(conditions)!r}: must be different, and at least one")
    rng = np.random.default_rng(seed)
    names = [moved[i] for i in rng.permutation(len(moved))]
    square = williams_square(len(names))
    orders: list[tuple[_T, ...]] = []
    while len(orders) < subjects:
        for row in rng.permutation(len(square)):
            order = [names[c] for c in square[row]]
            orders.append((*order, *([] if last is None else [last])))
    return orders[:subjects]


def crossed(
    documents: Sequence[_T], surrogates: Sequence[str], subjects: int, *, seed: int
) -> list[dict[_T, str]]:
    """Return which surrogate of each document each subject sees.

    Each subject sees each document in one form and each form equally often; each document is seen
    in each form by equally many subjects, as far as numbers divide.
    """
    if subjects < 1 or not documents or not surrogates:
        raise SpecError("there must be subjects, documents and surrogates, at least one each")
    rng = np.random.default_rng(seed)
    shift, turn = rng.permutation(len(documents)), rng.permutation(subjects)
    return [
        {
            document: surrogates[(int(shift[d]) + int(turn[s])) % len(surrogates)]
            for d, document in enumerate(documents)
        }
        for s in range(subjects)
    ]
