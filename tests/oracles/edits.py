"""Edit distances as their definitions read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np

Words = Sequence[str]


def levenshtein(hyp: Words, ref: Words) -> int:
    row = list(range(len(ref) + 1))
    for i, h in enumerate(hyp, start=1):
        diagonal, row[0] = row[0], i
        for j, r in enumerate(ref, start=1):
            diagonal, row[j] = row[j], min(diagonal + (h != r), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def grams(words: Words, order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))


def bag_distance(hyp: Words, ref: Words, order: int) -> tuple[int, int]:
    """Half the sum of the differences of lengths and counts; number of m-grams of the reference."""
    if min(len(hyp), len(ref)) < order:
        order = 1
    h, r = grams(hyp, order), grams(ref, order)
    different = sum(abs(h[g] - r[g]) for g in h | r)
    return (abs(h.total() - r.total()) + different) // 2, r.total()


def cover_distance(hyp: Words, ref: Words) -> int:
    row = [0] + [1] * len(hyp)
    for r in ref:
        above, row = row, [row[0] + 1]
        for i, h in enumerate(hyp, start=1):
            row.append(min(above[i - 1] + (h != r), row[i - 1] + 1, above[i] + 1))
        row = [min(cell, 1 + min(row)) for cell in row]
    return row[-1]


def inversion_distance(hyp: Words, ref: Words) -> int:
    @cache
    def d(i: int, i2: int, j: int, j2: int) -> int:
        if i == i2 or j == j2:
            return i2 - i + j2 - j
        if i2 - i == 1 and j2 - j == 1:
            return int(hyp[i] != ref[j])
        best = i2 - i + j2 - j
        for k in range(i, i2 + 1):
            for m in range(j, j2 + 1):
                if (k, m) not in ((i, j), (i2, j2)):
                    best = min(best, d(i, k, j, m) + d(k, i2, m, j2))
                if (k, m) not in ((i, j2), (i2, j)):
                    best = min(best, d(i, k, m, j2) + d(k, i2, j, m) + 1)
        return best

    return d(0, len(hyp), 0, len(ref))


def string_errors(hyp: Words, ref: Words) -> tuple[int, int]:
    """The fewest substitutions of the alignments of least cost (4, 3, 3), and all their errors."""
    row = [(3 * j, 0, j) for j in range(len(ref) + 1)]  # cost, substitutions, errors
    for h in hyp:
        above, row = row, []
        for j, (cost, subs, errors) in enumerate(above):
            cells = [(cost + 3, subs, errors + 1)]
            if j > 0:
                c, s, e = above[j - 1]
                wrong = h != ref[j - 1]
                cells.append((c + 4 * wrong, s + wrong, e + wrong))
                c, s, e = row[-1]
                cells.append((c + 3, s, e + 1))
            row.append(min(cells))
    return row[-1][1:]


def eed(hyp: str, ref: str) -> Fraction:
    """With the usual costs, exactly; both texts have characters other than blanks."""
    hyp, ref = f" {hyp} ", f" {ref} "
    deletion, rho = Fraction(1, 5), Fraction(3, 10)
    row = [Fraction(min(i, 1)) for i in range(len(hyp) + 1)]
    visits = [-1] * len(row)
    for r in ref:
        above, row = row, [row[0] + 1]
        for i, h in enumerate(hyp, start=1):
            row.append(min(row[-1] + deletion, above[i - 1] + (h != r), above[i] + 1))
        least = min(row)
        visits[row.index(least)] += 1
        if r == " ":
            row = [min(cell, least + 2) for cell in row]
    coverage = rho * sum(n if n >= 0 else 1 for n in visits)
    return min(Fraction(1), (row[-1] + coverage) / (len(ref) + coverage))


def eed_of_tool(hyp: str, ref: str, number: type[np.floating], *, cpp: bool) -> float:
    """Cell by cell in the tools' precision: EED.cpp keeps its running minimum as an integer and
    leaves the visits of the first cell out; its Python twin does neither.
    """
    hyp, ref = f" {hyp} ", f" {ref} "
    deletion, one, jump, rho = map(number, (0.2, 1, 2, 0.3))
    row = [number(min(i, 1)) for i in range(len(hyp) + 1)]
    visits = [0] * len(row)
    for r in ref:
        above, row = row, [row[0] + one]
        least, place = number(int(row[0])) if cpp else row[0], 0
        for i, h in enumerate(hyp, start=1):
            change = above[i - 1] + (number(0) if h == r else one)
            row.append(min(row[-1] + deletion, change, above[i] + one))
            if row[i] < least:
                least, place = number(int(row[i])) if cpp else row[i], i
        visits[place] += 1
        if r == " ":
            row = [min(cell, jump + row[place]) for cell in row]
    coverage = number(0)
    for n in visits[cpp:]:
        coverage += number(n - 1 if n else 1)
    coverage *= rho
    return min(1.0, float((row[-1] + coverage) / (number(len(ref)) + coverage)))


def character(hyp: list[str], ref: list[str]) -> float:
    """CharacTER: shifts while the distance falls, then characters and costs of the shifts."""
    words = hyp
    while True:
        before = levenshtein(words, ref)
        tried = []
        for i in range(len(words)):
            for j in range(len(ref)):
                if i == j or words[i] != ref[j]:
                    continue
                n = 1
                while (
                    words[i + n : i + n + 1] and words[i + n : i + n + 1] == ref[j + n : j + n + 1]
                ):
                    n += 1
                rest = words[:i] + words[i + n :]
                moved = rest[:j] + words[i : i + n] + rest[j:]
                tried.append((before - levenshtein(moved, ref), moved))
        if not tried or max(tried)[0] <= 0:
            break
        words = max(tried)[1]
    cost, i = 0.0, 0
    while i < len(hyp):
        phrase = 1
        if hyp[i] != words[i] and hyp[i] in words[i + 1 :]:
            now = words.index(hyp[i], i + 1)
            while now + phrase < len(hyp) and hyp[i + phrase] == words[now + phrase]:
                phrase += 1
            cost += sum(map(len, hyp[i : i + phrase])) / phrase
        i += phrase
    text = " ".join(words)
    return (levenshtein(text, " ".join(ref)) + cost) / len(text)


def recognition_counts(hyp: Words, ref: Words) -> tuple[int, int, int, int]:
    """Hits, substitutions, insertions and deletions of the alignment found from the end, which
    deletes where it can, otherwise inserts, otherwise pairs words.
    """

    @cache
    def distance(i: int, j: int) -> int:
        return levenshtein(hyp[:i], ref[:j])

    shorter = min(len(hyp), len(ref))
    prefix = next((k for k in range(shorter) if hyp[k] != ref[k]), shorter)
    hyp, ref = hyp[prefix:], ref[prefix:]
    shorter -= prefix
    suffix = next((k for k in range(shorter) if hyp[-1 - k] != ref[-1 - k]), shorter)
    i, j = len(hyp) - suffix, len(ref) - suffix
    hits, substitutions, insertions, deletions = prefix + suffix, 0, 0, 0
    while i or j:
        if j and (not i or distance(i, j) == distance(i, j - 1) + 1):
            j, deletions = j - 1, deletions + 1
        elif not j or (i > 1 and distance(i - 1, j) == distance(i - 1, j - 1) - 1):
            i, insertions = i - 1, insertions + 1
        else:
            i, j = i - 1, j - 1
            hits += hyp[i] == ref[j]
            substitutions += hyp[i] != ref[j]
    return hits, substitutions, insertions, deletions
