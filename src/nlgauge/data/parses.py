"""Define what a parser says about a sentence, whoever parsed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

ROOT = 0  # the head of the sentence's root


@dataclass(frozen=True)
class Parse:
    """A parse is one sentence as in CoNLL-U; words and their `heads` are numbered from 1."""

    words: tuple[str, ...]
    lemmas: tuple[str, ...]
    tags: tuple[str, ...]  # universal parts of speech
    fine_tags: tuple[str, ...]  # of the language's own tag set, such as Penn's
    heads: tuple[int, ...]  # 0: the root
    relations: tuple[str, ...]
    entities: tuple[tuple[int, int, str], ...] = ()  # [start, end) from 0, and the type

    def __len__(self) -> int:
        return len(self.words)


class Parser(Protocol):
    """A parser turns texts into parsed sentences; a text may hold several."""

    @property
    def name(self) -> str:
        """Return model and version, as they stand in signatures."""

    def parse(self, texts: Sequence[str], *, processes: int = 1) -> list[list[Parse]]:
        """Return the sentences of each text; the number of processes changes nothing."""

    def words(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the words of each text, as `parse` has them."""


class Chain:
    """This stands for no parser: words are split at white space; each depends on the one before.

    With it, chains are n-grams: what a syntactic metric says beyond word order is what it says
    beyond this.
    """

    name = "chain"

    def parse(self, texts: Sequence[str], *, processes: int = 1) -> list[list[Parse]]:  # noqa: ARG002
        """Return one sentence for each text that is not empty."""
        return [[chain(words)] if words else [] for words in self.words(texts)]

    def words(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the words of each text as white space separates them."""
        return [text.split() for text in texts]


def chain(words: Sequence[str]) -> Parse:
    """Return a sentence in which each word depends on the word before."""
    unknown = ("X",) * len(words)
    return Parse(
        words=tuple(words),
        lemmas=tuple(words),
        tags=unknown,
        fine_tags=unknown,
        heads=tuple(range(len(words))),
        relations=("root", *("dep",) * (len(words) - 1)),
    )


def glued(text: str) -> str:
    """Return the text without white space, which stays the same however words are split."""
    return "".join(text.split())
