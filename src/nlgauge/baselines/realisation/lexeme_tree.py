"""Define the input of a realiser: a dependency tree of words that are in no order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from nlgauge.data.parses import ROOT, Parse
from nlgauge.errors import DataError

MOST_DAUGHTERS = 256  # the native search holds sets of so many


@dataclass(frozen=True)
class LexemeTree:
    """A tree has inflected words, and for each the number of its head, from 1; 0 is the root."""

    words: tuple[str, ...]
    heads: tuple[int, ...]

    @classmethod
    def of(cls, parse: Parse) -> LexemeTree:
        """Return the tree of a parse, without what else is known of its words."""
        return cls(parse.words, parse.heads)

    def check(self, where: str) -> None:
        """Refuse what is no tree; `where` says which one it is."""
        n = len(self.words)
        if len(self.heads) != n:
            raise DataError(f"{where}: {n} words and {len(self.heads)} heads; give one for each")
        if n == 0:
            raise DataError(f"{where}: the tree has no words; leave it out")
        for word, head in zip(self.words, self.heads, strict=True):
            if not word.strip():
                raise DataError(f"{where}: a node without a word; give each node one")
            if not 0 <= head <= n:
                raise DataError(
                    f"{where}: the head of {word!r} is {head}; heads are numbered from 1 to {n}, "
                    "and 0 is the root"
                )
        self._check_paths(where)
        head, most = Counter(self.heads).most_common(1)[0]
        if most > MOST_DAUGHTERS:
            name = "the root" if head == ROOT else repr(self.words[head - 1])
            raise DataError(
                f"{where}: {name} has {most} daughters, and at most {MOST_DAUGHTERS} can be put in "
                "order; split the sentence"
            )

    def _check_paths(self, where: str) -> None:
        done = {ROOT}
        for node in range(1, len(self.words) + 1):
            path: dict[int, None] = {}
            at = node
            while at not in done:
                if at in path:
                    raise DataError(
                        f"{where}: {self.words[at - 1]!r} depends on itself, through its heads; a "
                        "tree has no cycles"
                    )
                path[at] = None
                at = self.heads[at - 1]
            done.update(path)

    def daughters(self) -> list[list[int]]:
        """Return the daughters of each node from 0, and in the last place those of the root."""
        n = len(self.words)
        found: list[list[int]] = [[] for _ in range(n + 1)]
        for node, head in enumerate(self.heads):
            found[head - 1 if head else n].append(node)
        return found

    def unordered(self) -> LexemeTree:
        """Return the same tree with its nodes in an order that follows from the tree alone.

        Whatever breaks ties by the numbers of nodes cannot know then how they were given.
        """
        daughters = self.daughters()
        rank = self._ranks(daughters)
        order: list[int] = []
        waiting = sorted(daughters[-1], key=rank.__getitem__)
        while waiting:
            order += waiting
            waiting = [d for m in waiting for d in sorted(daughters[m], key=rank.__getitem__)]
        place = {node: k for k, node in enumerate(order, start=1)}
        return LexemeTree(
            tuple(self.words[node] for node in order),
            tuple(place[head - 1] if (head := self.heads[node]) else ROOT for node in order),
        )

    def _ranks(self, daughters: Sequence[Sequence[int]]) -> list[int]:
        """Return a number for the subtree of each node, the same for subtrees that are alike.

        Numbers are given by height, so that they do not depend on the order of nodes.
        """
        height: dict[int, int] = {}
        levels: dict[int, list[int]] = {}
        for node in reversed(downward_nodes(daughters)[1:]):
            height[node] = 1 + max((height[d] for d in daughters[node]), default=0)
            levels.setdefault(height[node], []).append(node)
        rank = [0] * len(self.words)
        given = 0
        for level in sorted(levels):
            keys = {
                node: (self.words[node], sorted(rank[d] for d in daughters[node]))
                for node in levels[level]
            }
            known = ("", [-1])
            for node in sorted(keys, key=keys.__getitem__):
                given += keys[node] != known
                known = keys[node]
                rank[node] = given
        return rank


def downward_nodes(daughters: Sequence[Sequence[int]]) -> list[int]:
    """Return the nodes with heads before their daughters; the last number stands for the root."""
    nodes = [len(daughters) - 1]
    for node in nodes:  # grows on the way
        nodes += daughters[node]
    return nodes
