"""Best–worst scaling: which of some elements is best, which worst, and what follows for each.

An element's score is the share of tuples it was best in, minus the share it was worst in (Orme,
2009). A tuple also tells that its best element beats all others, and that these beat its worst.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from nlgauge.core.facts.defaults import RESAMPLES, SEED
from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.stats.correlation import pearson, spearman


@dataclass(frozen=True)
class BestWorst:
    """This is what an annotator chose from a tuple of elements."""

    elements: tuple[str, ...]
    best: str
    worst: str
    annotator: str | None = None

    def __post_init__(self) -> None:
        if not {self.best, self.worst} <= set(self.elements) or self.best == self.worst:
            raise DataError(
                f"best {self.best!r}, worst {self.worst!r}: must be two different ones of "
                f"{', '.join(self.elements)}"
            )


@dataclass(frozen=True)
class ScaledElement:
    """A scaled element has a score from −1, always worst, to 1, always best."""

    element: str
    score: float
    best: int
    worst: int
    shown: int


@dataclass(frozen=True)
class SplitHalves:
    """Split halves of the choices agree by so much, on average over random splits."""

    pearson: float
    spearman: float
    splits: int


def scale_elements(choices: Iterable[BestWorst]) -> tuple[ScaledElement, ...]:
    """Return the elements with their scores, best first."""
    given = list(choices)
    if not given:
        raise DataError("there are no choices of best and worst to scale elements by")
    shown = Counter(e for choice in given for e in choice.elements)
    best, worst = Counter(c.best for c in given), Counter(c.worst for c in given)
    found = [
        ScaledElement(e, (best[e] - worst[e]) / n, best[e], worst[e], n) for e, n in shown.items()
    ]
    return tuple(sorted(found, key=lambda element: -element.score))


def implied_wins(choices: Iterable[BestWorst]) -> tuple[tuple[str, ...], Floats]:
    """Return the elements and how often each beat each other, as `bradley_terry` takes it."""
    given = list(choices)
    names = tuple(dict.fromkeys(e for choice in given for e in choice.elements))
    place = {name: i for i, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for choice in given:
        for e in choice.elements:
            if e != choice.best:
                wins[place[choice.best], place[e]] += 1
            if e not in (choice.best, choice.worst):
                wins[place[e], place[choice.worst]] += 1
    return names, wins


def split_halves(
    choices: Sequence[BestWorst], *, splits: int = RESAMPLES // 10, seed: int = SEED
) -> SplitHalves:
    """Return how well scores from a random half of each tuple's choices agree with the rest's
    (Kiritchenko & Mohammad, 2016).
    """
    tuples: dict[frozenset[str], list[int]] = {}
    for i, choice in enumerate(choices):
        tuples.setdefault(frozenset(choice.elements), []).append(i)
    if not any(len(rows) > 1 for rows in tuples.values()):
        raise DataError("no tuple was judged twice, so its choices cannot be split in halves")
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(splits):
        halves: tuple[list[BestWorst], list[BestWorst]] = ([], [])
        for rows in tuples.values():
            start = int(rng.integers(2))
            for k, i in enumerate(rng.permutation(rows)):
                halves[(k + start) % 2].append(choices[i])
        one, other = ({e.element: e.score for e in scale_elements(half)} for half in halves)
        shared = [e for e in one if e in other]
        pairs = [one[e] for e in shared], [other[e] for e in shared]
        found.append((pearson(*pairs), spearman(*pairs)))
    r, rho = np.nanmean(np.array(found), axis=0)
    return SplitHalves(float(r), float(rho), splits)
