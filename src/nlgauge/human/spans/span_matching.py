"""Match the errors that two annotators marked in one text: exactly, by overlap, by characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from nlgauge.data.error_spans import ErrorSpan, character_marks

OTHER_SEVERITY = 0.5  # what a character counts that both marked, but not as equally bad


class SpanMatches(NamedTuple):
    """These are counts of one text, which add up over texts; each F1 is 2 matches / both."""

    exact: float  # spans with the same ends
    overlapping: float  # spans that share characters, each matched at most once
    spans: float  # of both annotators
    characters: float  # that both marked
    severe: float  # the same, where a character of another severity counts half
    marked: float  # characters of both annotators


def match_spans(first: Sequence[ErrorSpan], second: Sequence[ErrorSpan]) -> SpanMatches:
    """Compare the errors of two annotators; those without a place in the text do not count."""
    places = [[e.place for e in errors if e.place is not None] for errors in (first, second)]
    exact = (Counter(places[0]) & Counter(places[1])).total()
    length = max((end for own in places for _, end in own), default=0)
    marks = [character_marks(length, errors) for errors in (first, second)]
    both = [(a, b) for a, b in zip(*marks, strict=True) if a and b]
    return SpanMatches(
        exact=exact,
        overlapping=_most_overlapping(places[0], places[1]),
        spans=len(places[0]) + len(places[1]),
        characters=len(both),
        severe=sum(1.0 if a == b else OTHER_SEVERITY for a, b in both),
        marked=sum(bool(mark) for side in marks for mark in side),
    )


def _most_overlapping(first: Sequence[tuple[int, int]], second: Sequence[tuple[int, int]]) -> int:
    """Return how many spans of one side can be matched to one of the other that they overlap."""
    if not first or not second:
        return 0
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_bipartite_matching

    starts, ends = np.array(first).T
    others, other_ends = np.array(second).T
    overlap = (starts[:, None] < other_ends) & (others < ends[:, None])
    found = maximum_bipartite_matching(csr_matrix(overlap), perm_type="column")
    return int((found >= 0).sum())


def f1(matches: float, both: float) -> float:
    """Return 2 matches over the counts of both sides; NaN if neither side marked anything."""
    return 2 * matches / both if both else float("nan")
