"""Measure how good a parser's trees are: labelled brackets, by the conventions of evalb (Sekine and
Collins) with its usual parameters (COLLINS.prm).

TOP and punctuation do not count, and ADVP and PRT are the same. evalb looks up punctuation in each
tree's own tags and drops sentences whose lengths then differ; here the right tree's tags decide for
both. Brackets are compared by characters, so that trees over other words of the same text can be
scored, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from counts import Counts

from nlgauge.data.constituents import Constituent
from nlgauge.data.parses import glued
from nlgauge.errors import DataError
from nlgauge.models.syntax.spans import OUTER

PUNCTUATION = (",", ":", "``", "''", ".")
_SAME = {"PRT": "ADVP"}
_Bracket = tuple[str, int, int]


@dataclass(frozen=True)
class Bracketing:
    """A bracketing has sums over sentences: brackets, sentences and tags that are right."""

    brackets: Counts
    sentences: int
    complete: int  # sentences with the right brackets and no others
    tags: Counts  # words with the right part of speech


def score_trees(expected: Sequence[Constituent], found: Sequence[Constituent]) -> Bracketing:
    """Score trees of the same sentences, in the same order."""
    if len(expected) != len(found):
        raise DataError(f"{len(expected)} right trees, but {len(found)} to score")
    brackets = [0, 0, 0]
    tags = [0, 0, 0]
    complete = 0
    for number, (right, other) in enumerate(zip(expected, found, strict=True), start=1):
        if _text(right) != _text(other):
            raise DataError(f"tree {number}: not the same text: {_text(right)!r}, {_text(other)!r}")
        kept = [leaf.label not in PUNCTUATION for leaf in right.leaves() for _ in _letters(leaf)]
        places = [0]
        for keep in kept:  # characters that count, by character of the text
            places.append(places[-1] + keep)
        a, b = _brackets(right, places), _brackets(other, places)
        _add(brackets, a, b)
        complete += a == b
        _add(tags, _tags(right), _tags(other))
    return Bracketing(Counts(*brackets), len(expected), complete, Counts(*tags))


def _add(sums: list[int], expected: Counter[_Bracket], found: Counter[_Bracket]) -> None:
    both = (expected & found).total(), found.total(), expected.total()
    sums[:] = (a + b for a, b in zip(sums, both, strict=True))


def _brackets(tree: Constituent, places: Sequence[int]) -> Counter[_Bracket]:
    nodes = list(tree.downward())
    starts, ends, at = [], [], 0
    for _, node in nodes:
        starts.append(at)
        at += len(_letters(node))
        ends.append(at)
    for place in range(len(nodes) - 1, 0, -1):  # parts before the whole
        parent = nodes[place][0]
        ends[parent] = max(ends[parent], ends[place])
    found: Counter[_Bracket] = Counter()
    for place, (_, node) in enumerate(nodes):
        start, end = places[starts[place]], places[ends[place]]
        if node.word is None and node.label not in OUTER and start < end:
            found[_SAME.get(node.label, node.label), start, end] += 1
    return found


def _tags(tree: Constituent) -> Counter[_Bracket]:
    found: Counter[_Bracket] = Counter()
    at = 0
    for leaf in tree.leaves():
        found[leaf.label, at, at := at + len(_letters(leaf))] += 1
    return found


def _letters(node: Constituent) -> str:
    return glued(node.word or "")


def _text(tree: Constituent) -> str:
    return "".join(map(_letters, tree.leaves()))
