"""Measure how good a labeller's roles are, by the conventions of the CoNLL-2005 scorer (srl-eval.pl
of Carreras and Màrquez).

An argument is right if its role and its words are. A continuation (C-A1) belongs to the latest
argument of its role before it, and all pieces must be right; without one, it is an argument like
others. The verb itself (V) does not count. Frames of predicates that the right analysis does not
have are passed over, unless `predicates="found"`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from counts import Counts

from nlgauge.data.frames import Frame
from nlgauge.errors import DataError

_Argument = tuple[str, tuple[tuple[int, int], ...]]


@dataclass(frozen=True)
class RoleScores:
    """Role scores are sums over sentences of what was found, expected and right."""

    arguments: Counts
    by_role: dict[str, Counts]
    predicates: Counts
    complete: int  # frames with the right arguments and no others


def score_frames(
    expected: Sequence[Sequence[Frame]],
    found: Sequence[Sequence[Frame]],
    *,
    predicates: Literal["given", "found"] = "given",
) -> RoleScores:
    """Score frames of the same sentences, in the same order."""
    if len(expected) != len(found):
        raise DataError(f"{len(expected)} sentences with right frames, but {len(found)} to score")
    sums: dict[str, list[int]] = {}
    complete = 0
    all_predicates = [0, 0, 0]
    for right_frames, other_frames in zip(expected, found, strict=True):
        right = {frame.predicate: arguments(frame) for frame in right_frames}
        other = {frame.predicate: arguments(frame) for frame in other_frames}
        pairs = len(right.keys() & other.keys()), len(other), len(right)
        all_predicates = [a + b for a, b in zip(all_predicates, pairs, strict=True)]
        for predicate in right.keys() | (other.keys() if predicates == "found" else set()):
            a, b = right.get(predicate, set()), other.get(predicate, set())
            complete += predicate in right and a == b
            for column, some in enumerate((a & b, b, a)):
                for role, _ in some:
                    sums.setdefault(role, [0, 0, 0])[column] += 1
    return RoleScores(
        _sum(sums.values()),
        {role: Counts(*sums[role]) for role in sorted(sums)},
        Counts(*all_predicates),
        complete,
    )


def arguments(frame: Frame) -> set[_Argument]:
    """Return the roles with all their pieces, without V."""
    latest: dict[str, int] = {}
    joined: list[tuple[str, list[tuple[int, int]]]] = []
    for role in sorted(frame.roles, key=lambda role: role.start):
        label = role.label.removeprefix("C-")
        if label != role.label and label in latest:
            joined[latest[label]][1].append((role.start, role.end))
        else:
            latest[label] = len(joined)
            joined.append((label, [(role.start, role.end)]))
    return {(label, tuple(pieces)) for label, pieces in joined if label != "V"}


def _sum(counts: Iterable[Sequence[int]]) -> Counts:
    right, found, expected = (sum(column) for column in zip(*counts, (0, 0, 0), strict=True))
    return Counts(right, found, expected)
