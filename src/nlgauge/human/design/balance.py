"""Check how evenly a design spreads what it spreads, before anybody judges by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from nlgauge.human.design.assignment import Assignment


@dataclass(frozen=True)
class CountSpread:
    """This spread says how often something occurs at least and at most."""

    what: str
    least: int
    most: int


@dataclass(frozen=True)
class Balance:
    """The balance of a design has a spread for each thing that should be even."""

    spreads: tuple[CountSpread, ...]
    problems: tuple[str, ...]

    def spread(self, what: str) -> CountSpread:
        """Return the spread of that name."""
        return next(spread for spread in self.spreads if spread.what == what)


def check_balance(assignment: Assignment) -> Balance:
    """Count loads, systems, positions, orders and overlaps of an assignment's plain slots."""
    plain = [slot for slot in assignment.slots if slot.kind == "plain"]
    people, systems = assignment.annotators, assignment.systems
    groups = list(combinations(systems, assignment.together))
    names = {frozenset(group): group for group in groups}
    load = Counter(slot.annotator for slot in plain)
    group_of = [names[frozenset(slot.systems)] for slot in plain]
    of_group = Counter((s.annotator, g) for s, g in zip(plain, group_of, strict=True))
    places = Counter((s, place) for slot in plain for place, s in enumerate(slot.systems))
    before = Counter(pair for slot in plain for pair in combinations(slot.systems, 2))
    judged: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for slot, group in zip(plain, group_of, strict=True):
        judged.setdefault((slot.item, group), []).append(slot.annotator)
    met = Counter(
        frozenset(pair) for who in judged.values() for pair in combinations(sorted(set(who)), 2)
    )
    seen = Counter((slot.annotator, slot.item) for slot in plain)
    spreads = [
        _spread("outputs of an annotator", (load[a] for a in people)),
        _spread(
            "outputs of a system by an annotator", (of_group[a, g] for a in people for g in groups)
        ),
        _spread("annotators of an output", (len(set(who)) for who in judged.values())),
        _spread("times an annotator sees an item", seen.values()),
    ]
    if len(people) > 1 and assignment.per_output > 1:
        spreads.append(
            _spread(
                "outputs that two annotators share",
                (met[frozenset(pair)] for pair in combinations(people, 2)),
            )
        )
    if assignment.together > 1:
        spreads.append(
            _spread(
                "times a system has a position",
                (places[s, k] for s in systems for k in range(assignment.together)),
            )
        )
        spreads.append(
            _spread(
                "times a system stands before another",
                (before[a, b] for a in systems for b in systems if a != b),
            )
        )
    return Balance(tuple(spreads), tuple(_problems(assignment, judged)))


def _spread(what: str, counts: Iterable[int]) -> CountSpread:
    values = np.fromiter(counts, np.int64)
    return CountSpread(what, int(values.min()), int(values.max()))


def _problems(
    assignment: Assignment, judged: dict[tuple[str, tuple[str, ...]], list[str]]
) -> list[str]:
    problems = []
    outputs = len(assignment.items) * len(
        list(combinations(assignment.systems, assignment.together))
    )
    if len(judged) < outputs:
        problems.append(f"{outputs - len(judged)} outputs are judged by nobody")
    short = sum(len(set(who)) != assignment.per_output for who in judged.values())
    if short:
        problems.append(f"{short} outputs are not judged by {assignment.per_output} annotators")
    if assignment.per_output == 1 and len(assignment.annotators) > 1:
        problems.append("no output has two annotators, so agreement cannot be measured")
    return problems
