"""Who judges which outputs, in which order: a balanced incomplete design, drawn by lot.

Items come in rounds of as many as there are annotators, in a random order; within a round the
annotators stand in a random circle, and each item is given to those from its own place on. So in
every whole round everybody gets each system equally often and nobody gets an item twice before
everybody has it once. In the last round, which may not be whole, the places are spread so that
numbers differ by one at most. Each annotator's list mixes the systems evenly, so that it is about
balanced wherever somebody stops.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import gcd
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from nlgauge.core.facts.defaults import SEED
from nlgauge.data.labels import Codes
from nlgauge.errors import SpecError
from nlgauge.human.design.latin_squares import williams_square

SlotKind = Literal["plain", "repeat", "control", "gold"]
_Page = tuple[str, tuple[str, ...], SlotKind]
_DRAWS = 20  # circles of annotators from which the one with the most even overlap is taken


class Slot(NamedTuple):
    """A slot is one page of one annotator: an item with the systems shown, in the order shown."""

    annotator: str
    position: int  # in the annotator's list, from 0
    item: str
    systems: tuple[str, ...]  # none for gold items
    kind: SlotKind = "plain"


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """An assignment has the slots of all annotators, one annotator after the other, in order."""

    items: tuple[str, ...]
    systems: tuple[str, ...]
    annotators: tuple[str, ...]
    per_output: int  # annotators of each output, or of each group of outputs shown together
    together: int  # systems shown together
    slots: tuple[Slot, ...]
    seed: int

    def by_annotator(self) -> Mapping[str, tuple[Slot, ...]]:
        """Return each annotator's slots in order."""
        found: dict[str, list[Slot]] = {name: [] for name in self.annotators}
        for slot in self.slots:
            found[slot.annotator].append(slot)
        return {name: tuple(slots) for name, slots in found.items()}


def assign(
    items: Sequence[str],
    systems: Sequence[str],
    annotators: Sequence[str],
    *,
    per_output: int = 2,
    together: int = 1,
    repeats: float = 0.0,
    controls: float = 0.0,
    gold: Sequence[str] = (),
    gold_every: int = 10,
    seed: int = SEED,
) -> Assignment:
    """Draw who judges what. Each output of each system is judged by `per_output` annotators.

    `together` systems are shown side by side: 1 for ratings, 2 for comparisons, all for rankings;
    every group of so many is judged for every item. `repeats` and `controls` are shares of an
    annotator's outputs that come once more, unchanged or degraded, in the other half of the list.
    The `gold` items come round in turn, one somewhere in every `gold_every` slots.
    """
    for name, names in (("items", items), ("systems", systems), ("annotators", annotators)):
        if not names or len(set(names)) != len(names):
            raise SpecError(f"{name} must be different from each other, and at least one")
    if not 1 <= per_output <= len(annotators):
        raise SpecError(
            f"per_output={per_output}: an output is judged by at least 1 and at most all of the "
            f"{len(annotators)} annotators"
        )
    if not 1 <= together <= len(systems):
        raise SpecError(f"together={together}: from 1 to the {len(systems)} systems there are")
    if not (0 <= repeats <= 0.5 and 0 <= controls <= 0.5) or gold_every < 2:
        raise SpecError(
            f"repeats={repeats}, controls={controls}, gold_every={gold_every}: shares from 0 to "
            "0.5, and gold in 2 slots or more"
        )
    rng = np.random.default_rng(seed)
    groups = list(combinations(range(len(systems)), together))
    given = _drawn(len(items), len(groups), len(annotators), per_output, rng)
    # Groups and annotators start at different rows, so that orders are even over all of them.
    square = [tuple(row) for row in williams_square(together)]
    shown = [[tuple(systems[group[c]] for c in row) for row in square] for group in groups]
    turn = rng.permutation(len(gold)).tolist()
    slots: list[Slot] = []
    for a, name in enumerate(annotators):
        pages: list[_Page] = [
            (items[item], shown[group][row], "plain")
            for item, group, row in _ordered(given[a], len(groups), len(square), a, rng)
        ]
        pages = _with_copies(pages, "repeat", repeats, rng)
        pages = _with_copies(pages, "control", controls, rng)
        if gold:
            order = [gold[turn[(k + a) % len(gold)]] for k in range(len(gold))]
            pages = _with_gold(pages, order, gold_every, rng)
        slots += [Slot(name, k, *page) for k, page in enumerate(pages)]
    return Assignment(
        items=tuple(items),
        systems=tuple(systems),
        annotators=tuple(annotators),
        per_output=per_output,
        together=together,
        slots=tuple(slots),
        seed=seed,
    )


def _drawn(
    items: int, groups: int, annotators: int, per_output: int, rng: np.random.Generator
) -> list[list[tuple[int, int]]]:
    """Return what each annotator gets, as (item, group)."""
    given: list[list[tuple[int, int]]] = [[] for _ in range(annotators)]
    order = rng.permutation(items).tolist()
    met = np.zeros((annotators, annotators), np.int64)
    for start in range(0, items, annotators):
        chosen = order[start : start + annotators]
        best, fewest = None, np.inf
        for _ in range(_DRAWS if per_output > 1 else 1):
            drawn = _round(len(chosen), groups, annotators, per_output, rng)
            uneven = float(((met + _meetings(drawn, annotators)) ** 2).sum())
            if uneven < fewest:
                best, fewest = drawn, uneven
        assert best is not None
        met += _meetings(best, annotators)
        for item, row in zip(chosen, best.tolist(), strict=True):
            for group, people in enumerate(row):
                for annotator in people:
                    given[annotator].append((item, group))
    return given


def _round(
    items: int, groups: int, annotators: int, per_output: int, rng: np.random.Generator
) -> Codes:
    """Return the annotators of each group of each item of a round: [items, groups, per_output]."""
    circle = rng.permutation(annotators)
    steps = rng.permutation(annotators) if items == annotators else _steps(items, annotators)
    slots = np.arange(groups * per_output) % annotators
    people: Codes = circle[(np.arange(items)[:, None] + steps[slots]) % annotators]
    # Which group has which steps is drawn, too, as the last ones may go round the circle again.
    return people.reshape(items, groups, per_output)[:, rng.permutation(groups)]


def _meetings(people: Codes, annotators: int) -> npt.NDArray[np.int64]:
    """Return how often any two annotators judge the same output."""
    met = np.zeros((annotators, annotators), np.int64)
    for i, j in combinations(range(people.shape[2]), 2):
        np.add.at(met, (people[:, :, i], people[:, :, j]), 1)
    return met + met.T


def _steps(items: int, annotators: int) -> Codes:
    """Return by how far around the circle each slot of an item lies, all different.

    The items of a round cover an arc of the circle for each slot; arcs lie end to end, so that
    nobody gets more than one slot more than others.
    """
    period = annotators // gcd(items, annotators)  # arcs after which they close the circle
    slots = np.arange(annotators)
    return (slots * items + slots // period) % annotators


def _ordered(
    given: Sequence[tuple[int, int]], groups: int, rows: int, start: int, rng: np.random.Generator
) -> Iterator[tuple[int, int, int]]:
    """Yield an annotator's pages in order: item, group, and the row of the square to show it by.

    Pages come in rounds in which each group is once; each group takes the rows in turn.
    """
    waiting: list[deque[int]] = [deque() for _ in range(groups)]
    for place in rng.permutation(len(given)).tolist():
        item, group = given[place]
        waiting[group].append(item)
    last = None
    for turn in range(max(map(len, waiting), default=0)):
        for group in rng.permutation(groups).tolist() if groups > 1 else [0]:
            if items := waiting[group]:
                # The same item is not shown twice in a row if there is another.
                if items[0] == last:
                    items.rotate(-1)
                last = items.popleft()
                yield last, group, (turn + start + group) % rows


def _with_copies(
    pages: list[_Page], kind: SlotKind, share: float, rng: np.random.Generator
) -> list[_Page]:
    """Return the pages with a share of the plain ones once more, half of the list away."""
    plain = [k for k, page in enumerate(pages) if page[2] == "plain"]
    count, half = round(share * len(plain)), len(pages) // 2
    early = [k for k in plain if k < half]
    chosen = early[:: max(len(early) // count, 1)][:count] if count and early else []
    # A copy goes before the page of a random place that is half of the list later, or to the end.
    copies: dict[int, list[_Page]] = {}
    for k in chosen:
        item, systems, _ = pages[k]
        place = int(rng.integers(k + half, len(pages) + 1))
        copies.setdefault(place, []).append((item, systems, kind))
    made: list[_Page] = []
    for k in range(len(pages) + 1):
        made += [*copies.get(k, []), *pages[k : k + 1]]
    return made


def _with_gold(
    pages: list[_Page], turn: Sequence[str], every: int, rng: np.random.Generator
) -> list[_Page]:
    """Return the pages with one gold item in every so many, in a random place."""
    made: list[_Page] = []
    for k, start in enumerate(range(0, len(pages), every - 1)):
        part = pages[start : start + every - 1]
        place = int(rng.integers(0, len(part) + 1))
        made += [*part[:place], (turn[k % len(turn)], (), "gold"), *part[place:]]
    return made
