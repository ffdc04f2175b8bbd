"""BLEU's statistics and formulas as the papers write them, slowly and word by word."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

START, END = "<s>", "</s>"


def ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def distance(hyp: Sequence[str], ref: Sequence[str]) -> int:
    """Position-independent: half of the length difference plus all differences of counts."""
    h, r = Counter(hyp), Counter(ref)
    twice = abs(len(hyp) - len(ref)) + sum(abs(h[w] - r[w]) for w in h | r)
    return twice // 2


def relative(hyp: Sequence[str], ref: Sequence[str]) -> float:
    if not ref:
        return math.inf if hyp else 0.0
    return distance(hyp, ref) / len(ref)


def reference_length(rule: str, hyp: Sequence[str], refs: Sequence[Sequence[str]]) -> float:
    lengths = [len(r) for r in refs]
    if rule == "average":
        return sum(lengths) / len(lengths)
    if rule == "shortest":
        return min(lengths)
    if rule == "closest":
        return min(lengths, key=lambda length: (abs(length - len(hyp)), length))
    if rule == "avg_nearest":
        nearest = min(distance(hyp, r) for r in refs)
        tied = [len(r) for r in refs if distance(hyp, r) == nearest]
        return sum(tied) / len(tied)
    return min((relative(hyp, r), len(r)) for r in refs)[1]


def bleu_row(
    hyp: Sequence[str],
    refs: Sequence[Sequence[str]],
    *,
    order: int = 4,
    rule: str = "closest",
    boundaries: str = "none",
    weights: Sequence[float] | None = None,
) -> list[float]:
    """|h|, reference length, matches 1..N, n-grams 1..N; the formula of ΔBLEU if weighted."""
    weights = weights or [1.0] * len(refs)
    matches, totals = [], []
    for n in range(1, order + 1):
        of_hyp = ngrams(enclosed(hyp, boundaries, n), n)
        of_refs = [ngrams(enclosed(r, boundaries, n), n) for r in refs]
        matches.append(
            math.fsum(
                max(
                    w * min(count, found[gram])
                    for w, found in zip(weights, of_refs, strict=True)
                    if gram in found
                )
                for gram, count in of_hyp.items()
                if any(gram in found for found in of_refs)
            )
        )
        totals.append(math.fsum(max(w * count for w in weights) for count in of_hyp.values()))
    return [len(hyp), reference_length(rule, hyp, refs), *matches, *totals]


def enclosed(words: Sequence[str], boundaries: str, n: int) -> list[str]:
    start = [START] if n > 1 and boundaries in ("start", "both") else []
    end = [END] if n > 1 and boundaries in ("end", "both") else []
    return [*start, *words, *end]


def penalty(hyp: float, ref: float) -> float:
    if hyp >= ref:
        return 1.0
    return math.exp(1 - ref / hyp) if hyp else 0.0
