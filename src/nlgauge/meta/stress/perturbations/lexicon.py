"""Words that mean the same or the opposite: English lists, or whatever stands in for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from nlgauge.meta.stress.perturbations.english_lists import lines
from nlgauge.meta.stress.perturbations.morphology import plural, verb
from nlgauge.meta.stress.perturbations.words import core, parts, replaced, sentence_starts

_AFTER_THESE = frozenset("have has had having is are was were be been being".split())


class Lexicon(Protocol):
    """A lexicon gives other words for the word at place `i` of a text's pieces; None if it has
    none.

    The built-in lists implement it; WordNet, with the part of speech a tagger finds, can as well.
    """

    def synonym(self, pieces: Sequence[str], i: int) -> str | None:
        """Return a word that means the same, in the same form."""

    def antonym(self, pieces: Sequence[str], i: int) -> str | None:
        """Return a word that means the opposite, in the same form."""


@dataclass(frozen=True)
class WordLists:
    """The lists are `synonyms.txt`, one way, and `antonyms.txt`, both ways, with all forms of their
    words.
    """

    def synonym(self, pieces: Sequence[str], i: int) -> str | None:
        """Return a synonym from the list."""
        return _found(_table("synonyms", both_ways=False), pieces, i)

    def antonym(self, pieces: Sequence[str], i: int) -> str | None:
        """Return an antonym from the list."""
        return _found(_table("antonyms", both_ways=True), pieces, i)


def _found(table: Mapping[str, tuple[str, str]], pieces: Sequence[str], i: int) -> str | None:
    plain, participle = table.get(core(pieces[i]), (None, None))
    return participle if i and core(pieces[i - 1]) in _AFTER_THESE else plain


@cache
def _table(name: str, *, both_ways: bool) -> dict[str, tuple[str, str]]:
    """Return what stands for each word, and that after `have` and `be`, where a past is a
    participle.
    """
    table: dict[str, tuple[str, str]] = {}
    entries = [line.split() for line in lines(name)]
    if both_ways:
        entries += [[kind, second, first] for kind, first, second in entries]
    for kind, old, new in entries:
        table.setdefault(old, (new, new))
        if kind == "n":
            table.setdefault(plural(old), (plural(new),) * 2)
        elif kind == "v":
            forms = dict(zip(verb(old), verb(new), strict=True))
            forms[verb(old).past] = verb(new).past
            for form, other in forms.items():
                is_past = form == verb(old).past == verb(old).participle
                table.setdefault(form, (other, verb(new).participle if is_past else other))
    return table


def other_words(
    pieces: Sequence[str], look_up: Callable[[Sequence[str], int], str | None]
) -> dict[int, str]:
    """Return, by place, what may stand there instead. Capitals inside a sentence are taken for
    names.
    """
    starts = set(sentence_starts(pieces))
    found = {}
    for i, piece in enumerate(pieces):
        if i in starts or not parts(piece).core[:1].isupper():
            word = look_up(pieces, i)
            if word is not None:
                found[i] = replaced(piece, word)
    return found
