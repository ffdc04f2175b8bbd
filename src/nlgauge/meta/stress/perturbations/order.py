"""Perturbations that put the same words into another order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from nlgauge.meta.stress.perturbations.clauses import Grammar, Patterns, swapped
from nlgauge.meta.stress.perturbations.perturbation import Original, Perturbation, share
from nlgauge.meta.stress.perturbations.words import join, split


@dataclass(frozen=True, kw_only=True)
class Jumble(Perturbation):
    """Words drawn at random change places with each other."""

    name: ClassVar[str] = "jumble"
    summary: ClassVar[str] = "words in random order"
    graded: ClassVar[bool] = True

    def change(self, given: Original, severity: float, rng: np.random.Generator) -> str | None:
        """Move each of the drawn words to the place of the next one drawn."""
        pieces = split(given.text)
        touched = share(severity, len(pieces))
        if len(pieces) < 2 or touched == 0:
            return None
        places = rng.permutation(len(pieces))[: max(2, touched)].tolist()
        moved = list(pieces)
        for place, source in zip(places, [*places[1:], places[0]], strict=True):
            moved[place] = pieces[source]
        return join(moved)


@dataclass(frozen=True, kw_only=True)
class Reverse(Perturbation):
    """The words stand in reverse order, the last one first."""

    name: ClassVar[str] = "reverse"
    summary: ClassVar[str] = "words in reversed order"

    def change(self, given: Original, severity: float, rng: np.random.Generator) -> str | None:
        """Reverse the words, whatever the severity."""
        return join(reversed(split(given.text)))


@dataclass(frozen=True, kw_only=True)
class SwapArguments(Perturbation):
    """Subject and object change places: `John hit Bob` becomes `Bob hit John`."""

    name: ClassVar[str] = "roles"
    summary: ClassVar[str] = "subject and object exchanged"

    grammar: Grammar = field(default_factory=Patterns)

    def change(self, given: Original, severity: float, rng: np.random.Generator) -> str | None:
        """Swap subject and object in every clause that the grammar finds."""
        pieces = split(given.text)
        # From the right, so that places to the left stay what they are.
        for clause in reversed(self.grammar.clauses(pieces)):
            pieces = swapped(pieces, clause)
        return join(pieces)
