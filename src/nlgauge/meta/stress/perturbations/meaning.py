"""Perturbations whose few words make a text say something else: negation, antonyms, other
entities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from nlgauge.meta.stress.perturbations.contractions import CUT
from nlgauge.meta.stress.perturbations.english_lists import words
from nlgauge.meta.stress.perturbations.lexicon import Lexicon, WordLists, other_words
from nlgauge.meta.stress.perturbations.morphology import finite, is_participle
from nlgauge.meta.stress.perturbations.perturbation import Original, Perturbation, WordByWord
from nlgauge.meta.stress.perturbations.words import (
    core,
    join,
    parts,
    replaced,
    sentence_starts,
    split,
)

_AUXILIARIES = frozenset(
    "is are was were am can could will would shall should may might must do does did".split()
)
_HAVE = frozenset({"have", "has", "had"})
_WITH_BASE = frozenset({"i", "you", "we", "they"})
_POSITIVE = {"never": "always", "cannot": "can", "won't": "will", "can't": "can", "shan't": "shall"}
_NOT_BEFORE_A_VERB = frozenset("a an the my your his her its our their of in on at by for".split())
DRAWS = 20  # other texts looked at for an entity


@dataclass(frozen=True, kw_only=True)
class Negate(Perturbation):
    """`not` is taken away from the first verb that has it, or given to the first verb."""

    name: ClassVar[str] = "negation"
    summary: ClassVar[str] = "negated, or a negation removed"

    def change(self, given: Original, severity: float, rng: np.random.Generator) -> str | None:
        """Negate the text: auxiliaries come first; then a main verb gets `did not` or `does
        not`.
        """
        pieces = split(given.text)
        changed = _affirmed(pieces) or _negated_auxiliary(pieces) or _negated_verb(pieces)
        return None if changed is None else join(changed)


def _affirmed(pieces: list[str]) -> list[str] | None:
    for i, piece in enumerate(pieces):
        word = core(piece)
        if piece.lower() == "not" and core(pieces[max(i - 1, 0)]) != "or":
            return pieces[:i] + pieces[i + 1 :]
        if piece.lower() == "n't" and i:
            whole = CUT.get(core(pieces[i - 1]), core(pieces[i - 1]))
            return [*pieces[: i - 1], replaced(pieces[i - 1], whole), *pieces[i + 1 :]]
        if word in _POSITIVE:
            return [*pieces[:i], replaced(piece, _POSITIVE[word]), *pieces[i + 1 :]]
        if word.endswith("n't"):
            return [*pieces[:i], replaced(piece, word[:-3]), *pieces[i + 1 :]]
    return None


def _negated_auxiliary(pieces: list[str]) -> list[str] | None:
    for i, piece in enumerate(pieces):
        perfect = core(piece) in _HAVE and any(
            is_participle(core(word)) for word in pieces[i + 1 : i + 3]
        )
        if i and piece[:1].isupper():  # May is a month
            continue
        if core(piece) in _AUXILIARIES or perfect:
            before, word, after = parts(piece)
            return [*pieces[:i], before + word, f"not{after}", *pieces[i + 1 :]]
    return None


def _negated_verb(pieces: list[str]) -> list[str] | None:
    for i, piece in enumerate(pieces[1:], 1):
        found = finite(core(piece))
        subject = core(pieces[i - 1])
        if found is None or piece[:1].isupper() or parts(pieces[i - 1]).after:
            continue
        if found[1] == "base" and subject in _WITH_BASE:
            auxiliary = "do"
        elif found[1] in ("past", "third") and subject not in _NOT_BEFORE_A_VERB:
            auxiliary = "did" if found[1] == "past" else "does"
        else:
            continue
        before, _, after = parts(piece)
        verb = [f"{before}{auxiliary}", "not", found[0] + after]
        return [*pieces[:i], *verb, *pieces[i + 1 :]]
    return None


@dataclass(frozen=True, kw_only=True)
class Antonyms(WordByWord):
    """Words of the text become their opposites."""

    name: ClassVar[str] = "antonyms"
    summary: ClassVar[str] = "words replaced by their opposites"

    lexicon: Lexicon = field(default_factory=WordLists)

    def replacements(
        self,
        pieces: list[str],
        given: Original,
        rng: np.random.Generator,
    ) -> dict[int, str]:
        """Return opposites of all words the lexicon has one of, but not of those inside names."""
        return other_words(pieces, self.lexicon.antonym)


@dataclass(frozen=True, kw_only=True)
class SwapEntities(Perturbation):
    """Two names change places; a name that is alone gives way to one from another text."""

    name: ClassVar[str] = "entities"
    summary: ClassVar[str] = "names exchanged, or replaced by another text's"

    def change(self, given: Original, severity: float, rng: np.random.Generator) -> str | None:
        """Swap names, which are runs of capitalised words inside a sentence."""
        pieces = split(given.text)
        names = _entities(pieces)
        texts = {_name(pieces, span): span for span in names}
        if not names:
            return None
        if len(texts) > 1:
            first, second = (texts[name] for name in list(texts)[:2])
            changes = {first: _name(pieces, second), second: _name(pieces, first)}
        else:
            other = _from_elsewhere(given.others, set(texts), rng)
            if other is None:
                return None
            changes = {names[0]: other}
        for (start, end), new in sorted(changes.items(), reverse=True):
            before, after = parts(pieces[start]).before, parts(pieces[end - 1]).after
            pieces[start:end] = [f"{before}{new}{after}"]
        return join(pieces)


def _entities(pieces: Sequence[str]) -> list[tuple[int, int]]:
    """Return spans of capitalised words. The first word of a sentence counts only before another
    one.
    """
    starts = set(sentence_starts(pieces))
    spans: list[tuple[int, int]] = []
    i = 0
    while i < len(pieces):
        end = i
        while end < len(pieces) and _is_name(pieces[end]) and not (end > i and end in starts):
            end += 1
            if parts(pieces[end - 1]).after:
                break
        if end - i > (1 if i in starts else 0):
            spans.append((i, end))
        i = max(end, i + 1)
    return spans


def _is_name(piece: str) -> bool:
    word = parts(piece).core
    return word[:1].isupper() and word.lower() not in words("function_words")


def _name(pieces: Sequence[str], span: tuple[int, int]) -> str:
    text = " ".join(pieces[span[0] : span[1]])
    return parts(text).core


def _from_elsewhere(others: Sequence[str], own: set[str], rng: np.random.Generator) -> str | None:
    for i in rng.integers(max(len(others), 1), size=DRAWS if others else 0):
        pieces = split(others[i])
        names = {_name(pieces, span) for span in _entities(pieces)} - own
        if names:
            return min(names)
    return None
