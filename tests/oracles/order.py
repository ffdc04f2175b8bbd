"""Word order as Isozaki et al. (2010) and RIBES.py describe it, word by word."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

Pairs = list[tuple[int, int]]


Once = Callable[[Sequence[str]], bool]


def find(gram: Sequence[str], text: Sequence[str]) -> int:
    return next(i for i in range(len(text)) if text[i : i + len(gram)] == gram)


def once_in(hyp: Sequence[str], ref: Sequence[str]) -> Once:
    """Whether an n-gram occurs once in both texts."""

    @cache
    def counts(n: int) -> list[Counter[tuple[str, ...]]]:
        return [
            Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1)) for text in (hyp, ref)
        ]

    return lambda gram: all(found[tuple(gram)] == 1 for found in counts(len(gram)))


def nkt_list(hyp: list[str], ref: list[str]) -> Pairs:
    once = once_in(hyp, ref)
    pairs = []
    for i, word in enumerate(hyp):
        before, after = hyp[i - 1 : i + 1] if i > 0 else [], hyp[i : i + 2]
        if once([word]):
            pairs.append((i, ref.index(word)))
        elif len(after) == 2 and once(after):
            pairs.append((i, find(after, ref)))
        elif len(before) == 2 and once(before):
            pairs.append((i, find(before, ref) + 1))
    return pairs


def ribes_list(hyp: list[str], ref: list[str]) -> Pairs:
    once = once_in(hyp, ref)
    pairs = []
    for i, word in enumerate(hyp):
        if once([word]):
            pairs.append((i, ref.index(word)))
            continue
        for width in range(1, len(hyp)):
            left, right = hyp[max(i - width, 0) : i + 1], hyp[i : i + width + 1]
            if width <= i and once(left):
                pairs.append((i, find(left, ref) + width))
                break
            if i + width < len(hyp) and once(right):
                pairs.append((i, find(right, ref)))
                break
    return pairs


def kendall(order: Sequence[int]) -> float:
    n = len(order)
    ascending = sum(order[i] < order[j] for i in range(n) for j in range(i + 1, n))
    return ascending / math.comb(n, 2) if n > 1 else 0.0


def ranks(order: Sequence[int]) -> list[float]:
    return [sum(y < x for y in order) + (1 + order.count(x)) / 2 for x in order]


def spearman(order: Sequence[int]) -> float:
    n = len(order)
    if n < 2 or len(set(order)) == 1:
        return 0.0
    if len(set(order)) == n:
        distance = sum((i + 1 - rank) ** 2 for i, rank in enumerate(ranks(order)))
        return 1 - distance / math.comb(n + 1, 3) / 2
    mean = (n + 1) / 2
    y = [rank - mean for rank in ranks(order)]
    x = [i + 1 - mean for i in range(n)]
    pearson = sum(a * b for a, b in zip(x, y, strict=True)) / math.sqrt(
        sum(a * a for a in x) * sum(b * b for b in y)
    )
    return (pearson + 1) / 2


def hamming(order: Sequence[int]) -> float:
    n = len(order)
    return sum(i + 1 == rank for i, rank in enumerate(ranks(order))) / n if n > 1 else 0.0


def ribes(hyp: list[str], ref: list[str], alpha: float = 0.25, beta: float = 0.1) -> float:
    if not hyp:
        return 0.0
    order = [j for _, j in ribes_list(hyp, ref)]
    penalty = min(1.0, math.exp(1 - len(ref) / len(hyp)))
    if len(order) == 1 and len(ref) == 1:
        return (1 / len(hyp)) ** alpha * penalty**beta
    return kendall(order) * (len(order) / len(hyp)) ** alpha * penalty**beta
