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

    def unordered(self) -> tuple[LexemeTree, tuple[int, ...]]:
        """Return the same tree with its nodes in an order that follows from the tree alone, and
        where each was before.

        Whatever breaks ties by the numbers of nodes cannot know then how they were given.
        """
        daughters = self.daughters()
        downward = downward_nodes(daughters)
        keys: dict[tuple[str, tuple[int, ...]], int] = {}
        shapes = {
            node: (self.words[node], daughters[node]) for node in downward if node < len(self.words)
        }
        # Subtrees are alike if word and daughters are; numbers that stand for them are given level
        # by level, so that they do not depend on the order of nodes either.
        rank = [0] * len(self.words)
        depth: dict[int, int] = {}
        for node in reversed(downward[1:]):
            depth[node] = 1 + max((depth[d] for d in daughters[node]), default=0)
        by_depth: dict[int, list[int]] = {}
        for node, level in depth.items():
            by_depth.setdefault(level, []).append(node)
        for level in sorted(by_depth):
            known = {
                node: (shapes[node][0], tuple(sorted(rank[d] for d in shapes[node][1])))
                for node in by_depth[level]
            }
            for key in sorted(set(known.values())):
                keys[key] = len(keys)
            for node, key in known.items():
                rank[node] = keys[key]
        order: list[int] = []
        waiting = sorted(daughters[-1], key=rank.__getitem__)
        while waiting:
            order += waiting
            waiting = [d for m in waiting for d in sorted(daughters[m], key=rank.__getitem__)]
        place = {node: k for k, node in enumerate(order, start=1)}
        heads = [self.heads[node] for node in order]
        tree = LexemeTree(
            tuple(self.words[node] for node in order),
            tuple(place[head - 1] if head else ROOT for head in heads),
        )
        return tree, tuple(order)


def downward_nodes(daughters: Sequence[Sequence[int]]) -> list[int]:
    """Return the nodes with heads before their daughters; the last number stands for the root."""
    nodes = [len(daughters) - 1]
    for node in nodes:  # grows on the way
        nodes += daughters[node]
    return nodes
