"""Semantic roles: who did what to whom in a sentence, whoever found it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Role:
    """A role and the words [start, end) that fill it, counted from 0."""

    label: (
        str  # as in PropBank, in short: A0, A1, AM-TMP; of a verb's auxiliaries and the like, too
    )
    start: int
    end: int


@dataclass(frozen=True)
class Frame:
    """A predicate and its roles, in the order of the sentence."""

    predicate: int  # the place of the word, from 0
    roles: tuple[Role, ...]
    sense: str = ""  # lemma or sense, such as approve.01, if known


@dataclass(frozen=True)
class Framed:
    """The words of a sentence and what they say; maybe nothing."""

    words: tuple[str, ...]
    frames: tuple[Frame, ...]


class RoleLabeller(Protocol):
    """From texts to frames; a text may hold several sentences."""

    @property
    def name(self) -> str:
        """Model and version, as they stand in signatures."""

    def frames(self, texts: Sequence[str], *, threads: int = 1) -> list[list[Framed]]:
        """The sentences of each text; the number of threads changes nothing."""


class NoFrames:
    """No labeller: texts are split at white space, and say nothing."""

    name = "none"

    def frames(self, texts: Sequence[str], *, threads: int = 1) -> list[list[Framed]]:  # noqa: ARG002
        """One sentence for each text that is not empty."""
        return [[Framed(tuple(words), ())] if words else [] for words in map(str.split, texts)]


def short(label: str) -> str:
    """PropBank's labels in one spelling: ARG0 and A0, ARGM-TMP and AM-TMP; references and
    continuations (R-A0, C-A0) keep their mark.
    """
    mark, rest = (label[:2], label[2:]) if label.startswith(("R-", "C-")) else ("", label)
    return mark + ("A" + rest[3:] if rest.startswith("ARG") else rest)


def on_words(sentences: Sequence[Framed], words: Sequence[str]) -> list[Frame]:
    """The frames of a text's sentences by the places of other words for the same text: those that
    have a character in common. White space aside, the texts must be the same.
    """
    starts: list[int] = []  # by character of the text without white space: which word
    for place, word in enumerate(words):
        starts += [place] * len("".join(word.split()))
    found = []
    at = 0
    for sentence in sentences:
        bounds = [at]
        for word in sentence.words:
            at += len("".join(word.split()))
            bounds.append(at)
        if at > len(starts):
            raise ValueError("the words are not those of the sentences")
        for frame in sentence.frames:
            roles = tuple(
                Role(role.label, starts[bounds[role.start]], starts[bounds[role.end] - 1] + 1)
                for role in frame.roles
            )
            found.append(Frame(starts[bounds[frame.predicate]], roles, frame.sense))
    return found
