"""What a parser says about a sentence, whoever parsed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

ROOT = 0  # the head of the sentence's root


@dataclass(frozen=True)
class Parse:
    """One sentence as in CoNLL-U; words are numbered from 1, and `heads` are such numbers."""

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
    """From texts to parsed sentences; a text may hold several."""

    @property
    def name(self) -> str:
        """Model and version, as they stand in signatures."""

    def parse(self, texts: Sequence[str]) -> list[list[Parse]]:
        """The sentences of each text."""
