"""All projective orders of a small tree, and what trigrams and a grammar say to each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product

Arrays = Mapping[str, Mapping[tuple[int, ...], float]]
START, END = 0, 1


def projective_orders(heads: Sequence[int], node: int = -1) -> Iterator[tuple[int, ...]]:
    """Every order of the nodes below `node` in which each subtree stands together; -1: all."""
    daughters = [i for i, head in enumerate(heads) if head == node]
    items = daughters if node < 0 else [node, *daughters]
    below = {d: list(projective_orders(heads, d)) for d in daughters}
    for order in permutations(items):
        for parts in product(*(below.get(i, [(i,)]) for i in order)):
            yield tuple(n for part in parts for n in part)


def trigram_score(words: Sequence[int], model: Arrays) -> float:
    """The logarithm of the probability of words and their end, from tables of n-grams."""
    run = [START, START, *words, END]

    def two(b: int, c: int) -> float:
        found = model["two"].get((b, c))
        return model["one_left"][b,] + model["one"][c,] if found is None else found

    def three(a: int, b: int, c: int) -> float:
        found = model["three"].get((a, b, c))
        return model["two_left"].get((a, b), 0.0) + two(b, c) if found is None else found

    return sum(three(*gram) for gram in zip(run, run[1:], run[2:], strict=False))


def grammar_score(
    order: Sequence[int],
    heads: Sequence[int],
    sides: Sequence[Sequence[float]],
    pairs: Mapping[tuple[int, int], Sequence[float]],
) -> float:
    """The weights of sides, and of the orders of sisters that stand on the same side."""
    place = {node: k for k, node in enumerate(order)}

    def side(node: int) -> int:
        return 1 if heads[node] < 0 else int(place[node] > place[heads[node]])

    total = sum(sides[n][side(n)] for n in place if heads[n] >= 0)
    for (a, b), weights in pairs.items():
        if side(a) == side(b):
            total += weights[2 * side(a) + int(place[a] > place[b])]
    return total
