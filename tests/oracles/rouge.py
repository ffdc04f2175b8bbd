"""The ROUGE family as the paper writes it: matches and their bases with one reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from oracles.ngrams import ngrams

Words = Sequence[str]
Counts = tuple[float, float, float]  # matches, base of the reference, base of the hypothesis


def overlap(h: Counter, r: Counter) -> Counts:
    return (h & r).total(), r.total(), h.total()


def rouge_n(h: Words, r: Words, order: int) -> Counts:
    return overlap(ngrams(h, order), ngrams(r, order))


def skip_bigrams(words: Words, gap: int | None, unigrams: bool) -> Counter:
    pairs = Counter(
        (words[i], words[j])
        for i, j in combinations(range(len(words)), 2)
        if gap is None or j - i - 1 <= gap
    )
    return pairs + (Counter((w,) for w in words) if unigrams else Counter())


def rouge_s(h: Words, r: Words, gap: int | None, unigrams: bool) -> Counts:
    return overlap(skip_bigrams(h, gap, unigrams), skip_bigrams(r, gap, unigrams))


def lcs_table(r: Words, h: Words) -> list[list[int]]:
    table = [[0] * (len(h) + 1) for _ in range(len(r) + 1)]
    for i, a in enumerate(r):
        for j, b in enumerate(h):
            same = table[i][j] + 1
            table[i + 1][j + 1] = same if a == b else max(table[i][j + 1], table[i + 1][j])
    return table


def rouge_l(h: Words, r: Words) -> Counts:
    return lcs_table(r, h)[-1][-1], len(r), len(h)


def members(r: Words, h: Words) -> set[int]:
    """Positions in r of one longest common subsequence."""
    table, i, j, found = lcs_table(r, h), len(r), len(h), set()
    while i and j:
        if r[i - 1] == h[j - 1]:
            i, j = i - 1, j - 1
            found.add(i)
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found


def rouge_lsum(h: Sequence[Words], r: Sequence[Words]) -> Counts:
    left = Counter(w for line in h for w in line)
    hits = 0
    for line in r:
        for i in sorted(set().union(*(members(line, other) for other in h))):
            if left[line[i]] > 0:
                left[line[i]] -= 1
                hits += 1
    return hits, sum(map(len, r)), sum(map(len, h))


def rouge_w(h: Words, r: Words, weight: float) -> Counts:
    """The bases are weighted, too; the ratios' roots are taken by the caller."""
    value = [[0.0] * (len(h) + 1) for _ in range(len(r) + 1)]
    run = [[0] * (len(h) + 1) for _ in range(len(r) + 1)]
    for i, a in enumerate(r):
        for j, b in enumerate(h):
            if a == b:
                k = run[i][j]
                value[i + 1][j + 1] = value[i][j] + (k + 1) ** weight - k**weight
                run[i + 1][j + 1] = k + 1
            else:
                value[i + 1][j + 1] = max(value[i][j + 1], value[i + 1][j])
    return value[-1][-1], len(r) ** weight, len(h) ** weight


def scores(counts: Counts, alpha: float = 0.5, root: float = 1.0) -> tuple[float, float, float]:
    """Precision, recall and F."""
    hits, ref, hyp = counts
    p = (hits / hyp) ** (1 / root) if hyp else 0.0
    r = (hits / ref) ** (1 / root) if ref else 0.0
    base = (1 - alpha) * p + alpha * r
    return p, r, p * r / base if base else 0.0
