"""From judgements in order of arrival to differences between two systems.

Comparisons are differences by themselves: value − 0.5. Ratings are paired within items: first those
by the same annotator, then others in order of arrival; a rating counts once. Where no item was
rated for both systems, ratings are paired in order of arrival. What is paired depends on who came
when and never on what was said, so looking at the data in between changes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import NONE, Codes
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats

Pair = tuple[str, str]
_Said = tuple[int, int, float]  # row, annotator, value


@dataclass(frozen=True, eq=False)
class PairDifferences:
    """These are the differences between two systems, first minus second, as they arrived."""

    first: str
    second: str
    value: Floats
    item: Codes  # differences of one item are not independent
    arrival: Codes  # the row that completed each difference
    judgements: int  # rows that were used


@dataclass(frozen=True, eq=False)
class DifferencesOfSystems:
    """These are the differences of all pairs of systems, and what all values have in common."""

    systems: tuple[str, ...]
    pairs: tuple[PairDifferences, ...]
    compared: bool  # by comparisons; otherwise by ratings
    spread: float  # variance of a difference of two values drawn at random


def differences(
    judgements: Judgements, *, criterion: str | None = None, pairs: Sequence[Pair] | None = None
) -> DifferencesOfSystems:
    """Return the differences of all pairs of systems, or of those named."""
    chosen = judgements if criterion is None else judgements.where(criterion=criterion)
    compared = chosen.comparisons()
    if len(compared):
        return _compared(compared, pairs)
    rated = chosen.ratings()
    rated = rated.take((rated.system.codes != NONE) & (rated.item.codes != NONE))
    names = rated.criterion.used().names
    if len(names) > 1:
        raise SpecError(f"ratings of several criteria; choose one of: {', '.join(names)}")
    systems = rated.system.used()
    wanted = _wanted(systems.names, pairs)
    by_system = _by_system(rated, systems.codes, len(systems.names))
    spread = 2 * float(rated.value.var())
    made = tuple(
        _paired(a, b, by_system[systems.names.index(a)], by_system[systems.names.index(b)])
        for a, b in wanted
    )
    return DifferencesOfSystems(systems.names, made, False, spread)


def _wanted(systems: Sequence[str], pairs: Sequence[Pair] | None) -> list[Pair]:
    if len(systems) < 2:
        raise DataError(
            f"{len(systems)} systems among the judgements: there must be two to tell apart"
        )
    if pairs is None:
        return list(combinations(systems, 2))
    for a, b in pairs:
        for name in (a, b):
            if name not in systems:
                raise SpecError(
                    f"no judgement of the system {name!r}; there is: {', '.join(systems)}"
                )
        if a == b:
            raise SpecError(f"the pair {a!r}, {b!r} is one system; name two")
    return list(pairs)


def _compared(compared: Judgements, pairs: Sequence[Pair] | None) -> DifferencesOfSystems:
    systems = tuple(dict.fromkeys((*compared.system.used().names, *compared.against.used().names)))
    if np.isnan(compared.value).any() or (compared.system.codes == NONE).any():
        raise DataError("a comparison needs two systems and the value 0, 0.5 or 1")
    first, second = compared.system.recoded(systems), compared.against.recoded(systems)
    items = compared.item.codes.copy()
    alone = items == NONE  # comparisons without an item stand for themselves
    items[alone] = len(compared.item.names) + np.arange(alone.sum())
    made = []
    for a, b in _wanted(systems, pairs):
        i, j = systems.index(a), systems.index(b)
        rows = np.flatnonzero(((first == i) & (second == j)) | ((first == j) & (second == i)))
        value = compared.value[rows] - 0.5
        value = np.where(first[rows] == i, value, -value)
        made.append(PairDifferences(a, b, value, items[rows], rows, len(rows)))
    return DifferencesOfSystems(systems, tuple(made), True, float(compared.value.var()))


def _by_system(rated: Judgements, systems: Codes, count: int) -> list[dict[int, list[_Said]]]:
    """Return what was said of each system, by item; what an annotator repeats is left out."""
    said: list[dict[int, list[_Said]]] = [defaultdict(list) for _ in range(count)]
    seen: set[tuple[int, int, int]] = set()
    columns = zip(
        systems.tolist(),
        rated.item.codes.tolist(),
        rated.annotator.codes.tolist(),
        rated.value.tolist(),
        strict=True,
    )
    for row, (system, item, annotator, value) in enumerate(columns):
        if annotator != NONE:
            if (system, item, annotator) in seen:
                continue
            seen.add((system, item, annotator))
        said[system][item].append((row, annotator, value))
    return said


def _paired(
    first: str, second: str, a: dict[int, list[_Said]], b: dict[int, list[_Said]]
) -> PairDifferences:
    shared = [item for item in a if item in b]
    if shared:
        found = [
            (item, *matched) for item in shared for matched in _within(list(a[item]), list(b[item]))
        ]
    else:  # each item has one of the systems: both arrive in an order of their own
        ours, theirs = (
            sorted((said, item) for item, given in of.items() for said in given) for of in (a, b)
        )
        found = [
            (item, max(x[0], y[0]), x[2] - y[2])
            for (x, item), (y, _) in zip(ours, theirs, strict=False)
        ]
    found.sort(key=lambda row: row[1])
    items = np.array([row[0] for row in found], np.intp)
    arrival = np.array([row[1] for row in found], np.intp)
    value = np.array([row[2] for row in found], np.float64)
    return PairDifferences(first, second, value, items, arrival, 2 * len(found))


def _within(ours: list[_Said], theirs: list[_Said]) -> Iterator[tuple[int, float]]:
    """Yield when each difference within an item was complete, and the difference."""
    by_annotator = {said[1]: said for said in theirs if said[1] != NONE}
    rest = []
    for said in ours:
        other = by_annotator.pop(said[1], None)
        if other is None:
            rest.append(said)
        else:
            theirs.remove(other)
            yield max(said[0], other[0]), said[2] - other[2]
    for x, y in zip(rest, theirs, strict=False):
        yield max(x[0], y[0]), x[2] - y[2]
