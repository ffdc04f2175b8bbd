"""Frames compared by trying every alignment; phrases and grammars by their definitions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from functools import cache

Span = tuple[int, int]
Roles = list[tuple[int, Span]]  # group and words; the predicate first
Similarity = Callable[[Span, Span], float]


def assignments(rows: int, columns: int):
    """All ways to give each of the fewer ones of the others."""
    if rows <= columns:
        for chosen in itertools.permutations(range(columns), rows):
            yield list(enumerate(chosen))
    else:
        for chosen in itertools.permutations(range(rows), columns):
            yield [(i, j) for j, i in enumerate(chosen)]


def best_roles(hyp: Roles, ref: Roles, similar: Similarity) -> float:
    """The most that roles of equal groups can be worth."""

    def worth(pairs) -> float:
        return sum(
            similar(hyp[i + 1][1], ref[j + 1][1])
            for i, j in pairs
            if hyp[i + 1][0] == ref[j + 1][0]
        )

    return max(map(worth, assignments(len(hyp) - 1, len(ref) - 1)))


def f_of_frames(
    hyp: list[Roles], ref: list[Roles], similar: Similarity, predicate: float
) -> float | None:
    """MEANT with all roles of weight 1; None if several alignments of predicates are best."""
    values = {}
    for pairs in assignments(len(hyp), len(ref)):
        total = sum(similar(hyp[i][0][1], ref[j][0][1]) for i, j in pairs)
        values.setdefault(round(total, 9), []).append(pairs)
    best = values[max(values)]
    if len(best) > 1:
        return None
    sides = []
    for own, place in ((hyp, 0), (ref, 1)):
        value = weight = 0.0
        for k, frame in enumerate(own):
            cover = sum(end - start for _, (start, end) in frame)
            weight += cover
            for pair in best[0]:
                if pair[place] == k:
                    one, other = hyp[pair[0]], ref[pair[1]]
                    found = predicate * similar(one[0][1], other[0][1])
                    found += best_roles(one, other, similar)
                    value += cover * found / (predicate + len(frame) - 1)
        sides.append(value / weight)
    return harmonic(*sides)


def harmonic(p: float, r: float) -> float:
    return 2 * p * r / (p + r) if p + r else 0.0


def phrase(hyp: Sequence[str], ref: Sequence[str], one: Span, other: Span) -> float:
    """MEANT's phrasal similarity, words being equal or not."""
    left, right = hyp[slice(*one)], ref[slice(*other)]
    return harmonic(
        sum(word in right for word in left) / len(left),
        sum(word in left for word in right) / len(right),
    )


def derivation(pairs: Sequence[Sequence[float]], left: Sequence[float], right: Sequence[float]):
    """The best probability of any tree of a bracketing transduction grammar."""

    @cache
    def best(i: int, i2: int, j: int, j2: int) -> float:
        found = 0.0
        if i2 - i <= 1 and j2 - j <= 1:
            if i2 - i == j2 - j == 1:
                found = max(pairs[i][j], left[i] * right[j])
            else:
                found = math.prod([*left[i:i2], *right[j:j2]])
        for k in range(i, i2 + 1):
            for m in range(j, j2 + 1):
                if (i, j) != (k, m) != (i2, j2):
                    found = max(found, best(i, k, j, m) * best(k, i2, m, j2))
                if (i, j2) != (k, m) != (i2, j):
                    found = max(found, best(i, k, m, j2) * best(k, i2, j, m))
        return found

    return best(0, len(left), 0, len(right))
