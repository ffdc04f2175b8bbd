"""Perturbations that say the same otherwise: synonyms, the other voice, other phrases."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar

import numpy as np

from nlgauge.meta.stress.perturbations.clauses import Grammar, Patterns, other_voice
from nlgauge.meta.stress.perturbations.english_lists import lines, words
from nlgauge.meta.stress.perturbations.lexicon import Lexicon, WordLists, other_words
from nlgauge.meta.stress.perturbations.perturbation import Original, Perturbation, WordByWord
from nlgauge.meta.stress.perturbations.words import capital, core, join, parts, replaced, split

_TIMES = frozenset("yesterday today tomorrow tonight nowadays recently currently".split())


@dataclass(frozen=True, kw_only=True)
class Synonyms(WordByWord):
    """Words give way to others of the same meaning."""

    name: ClassVar[str] = "synonyms"
    summary: ClassVar[str] = "words replaced by synonyms"
    breaking: ClassVar[bool] = False

    lexicon: Lexicon = field(default_factory=WordLists)

    def replacements(
        self,
        pieces: list[str],
        given: Original,
        rng: np.random.Generator,
    ) -> dict[int, str]:
        """Return synonyms of all words the lexicon has one of, but not of those inside names."""
        return other_words(pieces, self.lexicon.synonym)


@dataclass(frozen=True, kw_only=True)
class ChangeVoice(Perturbation):
    """Active becomes passive and passive active."""

    name: ClassVar[str] = "voice"
    summary: ClassVar[str] = "active to passive and back"
    breaking: ClassVar[bool] = False

    grammar: Grammar = field(default_factory=Patterns)

    def change(self, given: Original, severity: float, rng: np.random.Generator) -> str | None:
        """Change the voice of every clause that the grammar finds."""
        pieces = split(given.text)
        for clause in reversed(self.grammar.clauses(pieces)):
            pieces = other_voice(pieces, clause)
        return join(pieces)


@dataclass(frozen=True, kw_only=True)
class Paraphrase(Perturbation):
    """Other phrases come from `phrases.txt`, and a time at the end of a text moves to its start."""

    name: ClassVar[str] = "paraphrase"
    summary: ClassVar[str] = "phrases reworded, times moved to the front"
    breaking: ClassVar[bool] = False

    def change(self, given: Original, severity: float, rng: np.random.Generator) -> str | None:
        """Replace all phrases that are found."""
        return join(_time_first(split(_phrases().sub(_reworded, given.text))))


@cache
def _table() -> dict[str, str]:
    return dict(line.split(" = ") for line in lines("phrases"))


@cache
def _phrases() -> re.Pattern[str]:
    longest_first = sorted(_table(), key=len, reverse=True)
    return re.compile(rf"(?i)\b(?:{'|'.join(longest_first)})\b")


def _reworded(match: re.Match[str]) -> str:
    return replaced(match[0], _table()[match[0].lower()])


def _time_first(pieces: list[str]) -> list[str]:
    """Move the time to the start: `He left today.` -> `Today, he left.`"""
    if len(pieces) < 3 or core(pieces[-1]) not in _TIMES or parts(pieces[-2]).after:
        return pieces
    time, end = core(pieces[-1]), parts(pieces[-1]).after
    first = pieces[0]
    if core(first) in words("function_words") - {"i"}:
        first = first[:1].lower() + first[1:]
    time = capital(time) if pieces[0][:1].isupper() else time
    return [f"{time},", first, *pieces[1:-2], pieces[-2] + end]
