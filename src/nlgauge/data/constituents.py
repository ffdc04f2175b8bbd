"""Define constituent trees, whoever found them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Constituent:
    """A constituent has parts or, where `word` is given, is a word with its part of speech."""

    label: str
    children: tuple[Constituent, ...] = ()
    word: str | None = None

    def downward(self) -> Iterator[tuple[int, Constituent]]:
        """Return all nodes from left to right, each after its parent, with the parent's place in
        this order (-1: this node).
        """
        stack = [(-1, self)]  # without recursion: trees may be deep
        place = 0
        while stack:
            parent, node = stack.pop()
            yield parent, node
            stack += [(place, child) for child in reversed(node.children)]
            place += 1

    def leaves(self) -> list[Constituent]:
        """Return the words with their parts of speech."""
        return [node for _, node in self.downward() if node.word is not None]

    @property
    def words(self) -> list[str]:
        """Return the words, without their parts of speech."""
        return [leaf.word or "" for leaf in self.leaves()]


def rebuilt(
    labels: Sequence[str], parents: Sequence[int], words: Sequence[str | None]
) -> Constituent:
    """Rebuild a tree from labels, parents and words of its nodes, in the order of `downward`."""
    children: list[list[Constituent]] = [[] for _ in labels]
    for i in range(len(labels) - 1, -1, -1):
        node = Constituent(labels[i], tuple(reversed(children[i])), words[i])
        if i == 0:
            return node
        children[parents[i]].append(node)
    raise ValueError("a tree needs a node")


class TreeParser(Protocol):
    """A tree parser turns texts into trees; a text may hold several sentences."""

    @property
    def name(self) -> str:
        """Return model and version, as they stand in signatures."""

    def trees(self, texts: Sequence[str], *, threads: int = 1) -> list[list[Constituent]]:
        """Return the sentences of each text; the number of threads changes nothing."""


class Flat:
    """This stands for no parser: a text is one constituent of its words, split at white space, and
    each word is its own part of speech. What a metric on trees says beyond common words is what it
    says beyond this.
    """

    name = "flat"

    def trees(self, texts: Sequence[str], *, threads: int = 1) -> list[list[Constituent]]:  # noqa: ARG002
        """Return one tree for each text that is not empty."""
        return [[flat(words)] if words else [] for words in map(str.split, texts)]


def flat(words: Sequence[str]) -> Constituent:
    """Return a tree of one level over these words."""
    return Constituent("S", tuple(Constituent(word, word=word) for word in words))
