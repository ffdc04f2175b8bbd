"""What a perturbation is: a frozen, named, seeded function from a text to a changed one."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlgauge.core.facts.defaults import SEED
from nlgauge.meta.stress.perturbations.words import join, split, with_articles, without


@dataclass(frozen=True)
class Original:
    """An original is a text, what it answers, and the other texts of its test set."""

    text: str
    context: str | None = None  # or its source
    others: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Perturbation(ABC):
    """A perturbation changes texts. `breaking`: the change makes the text wrong; otherwise its
    meaning stays. `graded`: severity, the share of words to touch, matters.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    breaking: ClassVar[bool] = True
    graded: ClassVar[bool] = False

    def __call__(
        self, given: Original | str, severity: float = 0.3, *, seed: int = SEED
    ) -> str | None:
        """Return the changed text; None where the perturbation finds nothing to change. The draws
        depend on the seed and the text alone, so that a higher severity touches the same words and
        more.
        """
        given = Original(given) if isinstance(given, str) else given
        key = zlib.crc32(f"{self.name} {given.text}".encode("utf-8", "surrogatepass"))
        changed = self.change(given, severity, np.random.default_rng((seed, key)))
        return None if changed is None or split(changed) == split(given.text) else changed

    @abstractmethod
    def change(self, given: Original, severity: float, rng: np.random.Generator) -> str | None:
        """Return the changed text, or None if nothing can be changed."""


def share(severity: float, words: int) -> int:
    """Return how many of the words to touch: at least one, if any."""
    return 0 if severity == 0 else max(1, round(severity * words))


class WordByWord(Perturbation):
    """This perturbation replaces or leaves out single words, as many as severity tells or as there
    are.
    """

    graded: ClassVar[bool] = True

    @abstractmethod
    def replacements(
        self, pieces: list[str], given: Original, rng: np.random.Generator
    ) -> dict[int, str]:
        """Return, by place, what may stand there instead; nothing: the word may be left out."""

    def change(self, given: Original, severity: float, rng: np.random.Generator) -> str | None:
        """Replace words that are drawn from those that can be replaced."""
        pieces = split(given.text)
        possible = self.replacements(pieces, given, rng)
        if not possible:
            return None
        places = rng.permutation(sorted(possible)).tolist()
        if self.graded:
            places = places[: share(severity, len(pieces))]
        for i in places:
            pieces[i] = possible[i] or pieces[i]
        pieces = with_articles(pieces, places)
        return join(without(pieces, [i for i in places if not possible[i]]))
