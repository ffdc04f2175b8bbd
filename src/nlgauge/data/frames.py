"""Define semantic roles: who did what to whom in a sentence, whoever found it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

_LOST = 40  # characters of a text that may be missing between two words


@dataclass(frozen=True)
class Role:
    """A role has a label and the words [start, end) that fill it, counted from 0."""

    label: str  # as in PropBank, in short: A0, A1, AM-TMP
    start: int
    end: int


@dataclass(frozen=True)
class Frame:
    """A frame is a predicate with its roles, in the order of the sentence."""

    predicate: int  # the place of the word, from 0
    roles: tuple[Role, ...]
    sense: str = ""  # lemma or sense, such as approve.01, if known

    def moved(self, by: int) -> Frame:
        """Return the frame for a sentence whose words come after others."""
        roles = (Role(role.label, role.start + by, role.end + by) for role in self.roles)
        return Frame(self.predicate + by, tuple(roles), self.sense)


@dataclass(frozen=True)
class FrameSentence:
    """These are the words of a sentence and its frames, of which there may be none."""

    words: tuple[str, ...]
    frames: tuple[Frame, ...]


class RoleLabeller(Protocol):
    """A role labeller turns texts into frames; a text may hold several sentences."""

    @property
    def name(self) -> str:
        """Return model and version, as they stand in signatures."""

    def frames(self, texts: Sequence[str], *, threads: int = 1) -> list[list[FrameSentence]]:
        """Return the sentences of each text; the number of threads changes nothing."""


class NoFrames:
    """This stands for no labeller: texts are split at white space, and have no frames."""

    name = "none"

    def frames(self, texts: Sequence[str], *, threads: int = 1) -> list[list[FrameSentence]]:  # noqa: ARG002
        """Return one sentence for each text that is not empty."""
        return [
            [FrameSentence(tuple(words), ())] if words else [] for words in map(str.split, texts)
        ]


def short(label: str) -> str:
    """Return a label of PropBank in one spelling: ARG0 and A0, ARGM-TMP and AM-TMP are the same;
    references and continuations (R-A0, C-A0) keep their mark.
    """
    mark, rest = (label[:2], label[2:]) if label.startswith(("R-", "C-")) else ("", label)
    return mark + ("A" + rest[3:] if rest.startswith("ARG") else rest)


def on_words(sentences: Sequence[FrameSentence], words: Sequence[str]) -> list[Frame]:
    """Return the frames of a text's sentences by the places of other words (or pieces) of the same
    text: those that share a character with the labelled ones. Words that are not in the text, as
    some tokenisers make them, belong to nothing; case does not count.
    """
    text = "".join(_folded(word) for sentence in sentences for word in sentence.words)
    owner = [-1] * len(text)  # which word each character belongs to
    at = 0
    for place, word in enumerate(map(_folded, words)):
        found = text.find(word, at, at + len(word) + _LOST) if word else -1
        if found >= 0:
            at = found + len(word)
            owner[found:at] = [place] * len(word)
    frames: list[Frame] = []
    at = 0
    for sentence in sentences:
        bounds = [at]
        for word in sentence.words:
            at += len(_folded(word))
            bounds.append(at)
        frames += filter(None, (_moved(frame, bounds, owner) for frame in sentence.frames))
    return frames


def _folded(word: str) -> str:
    """Remove white space and case, one character at a time."""
    lowered = (c.lower() for c in word if not c.isspace())
    return "".join(c if len(c) == 1 else "_" for c in lowered)


def _moved(frame: Frame, bounds: Sequence[int], owner: Sequence[int]) -> Frame | None:
    def span(start: int, end: int) -> tuple[int, int] | None:
        places = [place for place in owner[bounds[start] : bounds[end]] if place >= 0]
        return (places[0], places[-1] + 1) if places else None

    predicate = span(frame.predicate, frame.predicate + 1)
    if predicate is None:
        return None
    spans = ((role.label, span(role.start, role.end)) for role in frame.roles)
    roles = tuple(Role(label, *found) for label, found in spans if found is not None)
    return Frame(predicate[0], roles, frame.sense)
