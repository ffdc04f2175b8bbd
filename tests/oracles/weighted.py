"""Metrics whose n-grams or words have weights, as the papers write them, slowly."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

from oracles.ngrams import ngrams

Words = Sequence[str]
Segment = tuple[Words, Sequence[Words]]


def nist(segments: Sequence[Segment], order: int) -> float:
    refs = [ref for _, refs in segments for ref in refs]
    counts = sum((ngrams(ref, n) for ref in refs for n in range(1, order + 1)), Counter())
    counts[()] = sum(map(len, refs))
    score = 0.0
    for n in range(1, order + 1):
        gained = 0.0
        for hyp, refs in segments:
            for gram, count in ngrams(hyp, n).items():
                matched = min(count, max(ngrams(ref, n)[gram] for ref in refs))
                if matched:
                    gained += matched * math.log2(counts[gram[:-1]] / counts[gram])
        score += gained / max(1, sum(ngrams(hyp, n).total() for hyp, _ in segments))
    length = sum(len(hyp) for hyp, _ in segments)
    expected = sum(sum(map(len, refs)) / len(refs) for _, refs in segments)
    if length == 0 or expected == 0:
        return 0.0
    beta = math.log(0.5) / math.log(1.5) ** 2
    return score * math.exp(beta * min(0.0, math.log(length / expected)) ** 2)


def cider(segments: Sequence[Segment], order: int, sigma: float | None) -> list[float]:
    """CIDEr, or with a sigma CIDEr-D, of each segment."""
    frequency: Counter[tuple[str, ...]] = Counter()
    for _, refs in segments:
        frequency.update({g for r in refs for n in range(1, order + 1) for g in ngrams(r, n)})

    def vector(words: Words, n: int) -> dict[tuple[str, ...], float]:
        return {
            g: count * math.log(len(segments) / max(1, frequency[g]))
            for g, count in ngrams(words, n).items()
        }

    def similarity(hyp: Words, ref: Words, n: int) -> float:
        h, r = vector(hyp, n), vector(ref, n)
        norms = math.sqrt(sum(x * x for x in h.values()) * sum(x * x for x in r.values()))
        if norms == 0:
            return 0.0
        if sigma is None:
            return sum(h[g] * r.get(g, 0.0) for g in h) / norms
        # Lengths are counted in bigrams.
        gap = max(0, len(hyp) - 1) - max(0, len(ref) - 1)
        clipped = sum(min(h[g], r.get(g, 0.0)) * r.get(g, 0.0) for g in h)
        return clipped / norms * math.exp(-(gap**2) / (2 * sigma**2))

    return [
        sum(similarity(hyp, ref, n) for ref in refs for n in range(1, order + 1))
        / (order * len(refs))
        for hyp, refs in segments
    ]


def gleu(hyp: Words, refs: Sequence[Words], least: int, most: int) -> float:
    orders = range(least, most + 1)
    best = 0.0
    for ref in refs:
        matches = sum((ngrams(hyp, n) & ngrams(ref, n)).total() for n in orders)
        sizes = [sum(ngrams(words, n).total() for n in orders) for words in (hyp, ref)]
        if matches:
            best = max(best, min(matches / size for size in sizes))
    return best


def overlap(hyp: Words, refs: Sequence[Words]) -> float:
    h = Counter(hyp)
    bags = [Counter(ref) for ref in refs if ref and hyp]
    return max(((h & r).total() / (h | r).total() for r in bags), default=0.0)


def common_substring(a: str, b: str) -> int:
    parts = {a[i:j] for i in range(len(a)) for j in range(i + 1, len(a) + 1)}
    return max((len(part) for part in parts if part in b), default=0)


def yisi(segments: Sequence[Segment], order: int, alpha: float) -> list[float]:
    refs = [ref for _, refs in segments for ref in refs]
    found = Counter(word for ref in refs for word in set(ref))

    def weight(word: str) -> float:
        return math.log2(1 + (len(refs) + 1) / (found[word] + 1))

    return [_yisi(hyp, refs, order, alpha, weight) for hyp, refs in segments]


def _yisi(
    hyp: Words, refs: Sequence[Words], order: int, alpha: float, weight: Callable[[str], float]
) -> float:
    def covered(texts: Words, others: Words) -> float:
        """How well the n-grams of one text are found in another."""
        n = min(order, len(texts), len(others))
        gained = total = 0.0
        for i in range(len(texts) - n + 1):
            gram = texts[i : i + n]
            total += sum(map(weight, gram))
            gained += max(
                sum(
                    weight(u) * 2 * common_substring(u, v) / (len(u) + len(v))
                    for u, v in zip(gram, others[j : j + n], strict=True)
                )
                for j in range(len(others) - n + 1)
            )
        return gained / total

    refs = [ref for ref in refs if ref]
    if not hyp or not refs:
        return 0.0
    precision = max(covered(hyp, ref) for ref in refs)
    recall = max(covered(ref, hyp) for ref in refs)
    if precision * recall == 0:
        return 0.0
    return precision * recall / (alpha * precision + (1 - alpha) * recall)
