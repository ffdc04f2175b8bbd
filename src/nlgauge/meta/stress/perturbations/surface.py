"""Changes of spelling and of small words that leave the meaning alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlgauge.meta.stress.perturbations.english_lists import words
from nlgauge.meta.stress.perturbations.perturbation import Original, Perturbation, WordByWord
from nlgauge.meta.stress.perturbations.words import capital, core, join, parts, split
from nlgauge.text.punctuation import marks


@dataclass(frozen=True, kw_only=True)
class RemovePunctuation(Perturbation):
    """The words stand there without punctuation marks."""

    name: ClassVar[str] = "punctuation"
    summary: ClassVar[str] = "punctuation removed"
    breaking: ClassVar[bool] = False

    def change(self, given: Original, severity: float, rng: np.random.Generator) -> str | None:
        """Remove marks around words; those inside, as in `don't` and `3.5`, stay."""
        pieces = split(given.text)
        kept = (piece if set(piece) - marks() == set() else parts(piece).core for piece in pieces)
        return join(piece for piece in kept if set(piece) - marks())


@dataclass(frozen=True, kw_only=True)
class ChangeCase(Perturbation):
    """The text has no capitals; one that had none begins with one."""

    name: ClassVar[str] = "case"
    summary: ClassVar[str] = "in lower case"
    breaking: ClassVar[bool] = False

    def change(self, given: Original, severity: float, rng: np.random.Generator) -> str | None:
        """Change the case of the whole text."""
        lower = given.text.lower()
        return lower if lower != given.text else capital(lower)


@dataclass(frozen=True, kw_only=True)
class RemoveStopWords(WordByWord):
    """Small words are left out, as in a telegram: nearly the same meaning."""

    name: ClassVar[str] = "stop-words"
    summary: ClassVar[str] = "stop words left out"
    breaking: ClassVar[bool] = False

    def replacements(
        self,
        pieces: list[str],
        given: Original,
        rng: np.random.Generator,
    ) -> dict[int, str]:
        """Return the places of all words of `stop_words.txt`."""
        return {i: "" for i, piece in enumerate(pieces) if core(piece) in words("stop_words")}
