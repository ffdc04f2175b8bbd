"""Traces tell how a metric matched or edited the words of two texts, or what it took them to say.

A metric's `trace` compares one hypothesis with one reference and returns one of these; everything
that shows them works on these alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from nlgauge.data.error_spans import ErrorSpan, character_marks
from nlgauge.errors import DataError

Floats = npt.NDArray[np.float64]
Side = Literal["hyp", "ref", "both"]
Operation = Literal["match", "substitute", "delete", "insert"]


@dataclass(frozen=True)
class Link:
    """A word of the hypothesis that is matched to one of the reference."""

    hyp: int
    ref: int
    label: str = ""  # what kind of match, where a metric knows several


@dataclass(frozen=True)
class Alignment:
    """The words (or characters) of both sides and the links that join them."""

    hyp: tuple[str, ...]
    ref: tuple[str, ...]
    links: tuple[Link, ...]
    note: str = ""
    characters: bool = False

    def runs(self) -> list[list[Link]]:
        """Group links that are neighbours on both sides, in the order of the hypothesis."""
        groups: list[list[Link]] = []
        for link in sorted(self.links, key=lambda link: (link.hyp, link.ref)):
            last = groups[-1][-1] if groups else None
            if last is not None and (link.hyp, link.ref) == (last.hyp + 1, last.ref + 1):
                groups[-1].append(link)
            else:
                groups.append([link])
        return groups


@dataclass(frozen=True)
class Edit:
    """One step that leads from one text to the other. A word that only the hypothesis has is
    inserted, one that only the reference has is deleted; the place is None on the side that lacks
    it.
    """

    operation: Operation
    hyp: int | None
    ref: int | None


@dataclass(frozen=True)
class Shift:
    """A move of the words [start, start + length) to before `target`, counted before the move."""

    start: int
    length: int
    target: int

    def apply(self, words: Sequence[str]) -> list[str]:
        """Return the words as they stand after the shift."""
        start, end, target = self.start, self.start + self.length, self.target
        block = words[start:end]
        if target < start:
            return [*words[:target], *block, *words[target:start], *words[end:]]
        return [*words[:start], *words[end:target], *block, *words[target:]]


@dataclass(frozen=True)
class Edits:
    """The words of both sides and the steps between them; `hyp` as it stands after all shifts."""

    hyp: tuple[str, ...]
    ref: tuple[str, ...]
    script: tuple[Edit, ...]
    shifts: tuple[Shift, ...] = ()
    before_shifts: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class GraphItem:
    """An object or an attribute, with whether the other side has it too."""

    name: str
    matched: bool
    attributes: tuple[GraphItem, ...] = ()


@dataclass(frozen=True)
class Relation:
    """A relation that holds between two objects, which are given by their places."""

    source: int
    name: str
    target: int
    matched: bool


@dataclass(frozen=True)
class Graph:
    """What a text says: objects with their attributes, and relations between objects."""

    objects: tuple[GraphItem, ...]
    relations: tuple[Relation, ...]

    def matches(self) -> list[bool]:
        """Tell whether the other side has each object, attribute and relation."""
        found = [x.matched for node in self.objects for x in (node, *node.attributes)]
        return [*found, *(relation.matched for relation in self.relations)]


@dataclass(frozen=True)
class Graphs:
    """The scene graphs that were made of both sides."""

    hyp: Graph
    ref: Graph
    note: str = ""


@dataclass(frozen=True)
class Match:
    """A cell that counted: for the hypothesis' word (precision), for the reference's (recall) or
    for both; `flow` is how much is moved where words are shared out by transport.
    """

    hyp: int
    ref: int
    side: Side = "both"
    flow: float | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class TokenSimilarities:
    """Tokens (words, pieces, n-grams or sentences) of both sides, how similar each two are, and
    which of these numbers made the score.
    """

    hyp: tuple[str, ...]
    ref: tuple[str, ...]
    matrix: Floats  # [hyp, ref]; NaN where two tokens are not compared
    matches: tuple[Match, ...] = ()
    hyp_weights: Floats | None = None  # idf or mass of each token; None: all alike
    ref_weights: Floats | None = None
    measure: str = "similarity"  # what the numbers are
    distance: bool = False  # whether small numbers are the near ones
    note: str = ""

    def __post_init__(self) -> None:
        shape = (len(self.hyp), len(self.ref))
        if np.shape(self.matrix) != shape:
            raise DataError(f"similarities: a matrix {np.shape(self.matrix)} for {shape} tokens")
        for name, side, length in (
            ("hyp_weights", self.hyp_weights, shape[0]),
            ("ref_weights", self.ref_weights, shape[1]),
        ):
            if side is not None and np.shape(side) != (length,):
                raise DataError(f"similarities: {name} {np.shape(side)} for {length} tokens")

    @property
    def weighted(self) -> bool:
        """Tell whether the tokens of a side differ in weight."""
        sides = (w for w in (self.hyp_weights, self.ref_weights) if w is not None)
        return any(len(set(w[np.isfinite(w)].tolist())) > 1 for w in sides)


@dataclass(frozen=True)
class Node:
    """A constituent, tag or word of a tree; its children stand from left to right."""

    label: str
    children: tuple[Node, ...] = ()
    matched: int = 0  # levels of the subtree rooted here that the other tree has too; 0: none
    word: bool = False  # shown below the tree, but no part of it

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below, parents first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


@dataclass(frozen=True)
class Trees:
    """The trees of both sides; None where a text has none. Several sentences have a root
    without a label above them.
    """

    hyp: Node | None
    ref: Node | None
    note: str = ""


@dataclass(frozen=True)
class RoleSpan:
    """What fills a role: the tokens [start, end) of its sentence."""

    label: str
    start: int
    end: int


@dataclass(frozen=True)
class FrameSpans:
    """A predicate and the roles that belong to it."""

    predicate: RoleSpan
    roles: tuple[RoleSpan, ...] = ()
    weight: float | None = None  # of the frame in its sentence


@dataclass(frozen=True)
class RolePair:
    """Two roles that aligned frames share, by their places, and how similar their fillers are."""

    hyp: int
    ref: int
    similarity: float


@dataclass(frozen=True)
class FramePair:
    """Two frames that are aligned, how similar their predicates are, and their aligned roles."""

    hyp: int
    ref: int
    similarity: float
    roles: tuple[RolePair, ...] = ()


@dataclass(frozen=True)
class Frames:
    """The words and frames of both sides, and which of them were aligned."""

    hyp: tuple[str, ...]
    ref: tuple[str, ...]
    hyp_frames: tuple[FrameSpans, ...]
    ref_frames: tuple[FrameSpans, ...]
    pairs: tuple[FramePair, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class MarkedText:
    """A text with the errors that were marked in it, by a judge or by people, or with what a judge
    answered that marks none.
    """

    text: str
    errors: tuple[ErrorSpan, ...]
    note: str = ""
    answers: tuple[str, ...] = ()

    def pieces(self) -> list[tuple[str, str]]:
        """Return the text in pieces, each with the severity of what is marked, or ""."""
        marks = character_marks(len(self.text), self.errors)
        ends = [i for i in range(1, len(marks)) if marks[i] != marks[i - 1]]
        starts = [0, *ends] if marks else []
        return [
            (self.text[start:end], marks[start])
            for start, end in zip(starts, [*ends, len(marks)], strict=True)
        ]


Trace = Alignment | Edits | Graphs | TokenSimilarities | Trees | Frames | MarkedText
