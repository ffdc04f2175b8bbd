"""Two constituent trees side by side, for `explain`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from nlgauge.data.constituents import Constituent
from nlgauge.explain.traces import Node, Trees

LEVELS = 9  # of subtrees that are compared
Cut = tuple[int, ...]  # by number of levels: which subtree


def side_by_side(hyp: Sequence[Constituent], ref: Sequence[Constituent]) -> Trees:
    """Show both texts, and for each node how many levels of the subtree below it the other text has
    too, where a subtree of the other text is used once.
    """
    numbers: dict[tuple[int | str, ...], int] = {}
    own, other = _cuts(hyp, numbers), _cuts(ref, numbers)
    return Trees(
        _node(hyp, _matched(own, other)),
        _node(ref, _matched(other, own)),
        note="with how many levels of the subtree the other text has too",
    )


def _cuts(sentences: Sequence[Constituent], numbers: dict[tuple[int | str, ...], int]) -> list[Cut]:
    """Return, for every node in order, its subtrees of 1, 2, ... levels, as far as it has them."""
    found: list[Cut] = []
    for sentence in sentences:
        nodes = list(sentence.downward())
        children: list[list[int]] = [[] for _ in nodes]
        for place, (parent, _) in enumerate(nodes):
            if parent >= 0:
                children[parent].append(place)
        cuts: list[Cut] = [()] * len(nodes)
        for place in range(len(nodes) - 1, -1, -1):
            label = nodes[place][1].label
            below = [cuts[child] for child in children[place]]
            depth = min(LEVELS, 1 + max(map(len, below), default=0))
            own = []
            for level in range(depth):
                # A child that does not go as deep is whole.
                parts = [cut[min(level, len(cut)) - 1] for cut in below] if level else []
                own.append(numbers.setdefault((label, *parts), len(numbers)))
            cuts[place] = tuple(own)
        found += cuts
    return found


def _matched(own: list[Cut], other: list[Cut]) -> list[int]:
    levels = [0] * len(own)
    for level in range(LEVELS):
        left = Counter(cut[level] for cut in other if len(cut) > level)
        for place, cut in enumerate(own):
            if len(cut) > level and left[cut[level]] > 0:
                left[cut[level]] -= 1
                levels[place] = level + 1
    return levels


def _node(sentences: Sequence[Constituent], levels: list[int]) -> Node | None:
    rest = iter(reversed(levels))
    trees: list[Node] = []
    for sentence in reversed(sentences):
        nodes = list(sentence.downward())
        children: list[list[Node]] = [[] for _ in nodes]
        for place in range(len(nodes) - 1, -1, -1):
            parent, node = nodes[place]
            word = (Node(node.word, word=True),) if node.word is not None else ()
            made = Node(node.label, (*word, *reversed(children[place])), next(rest))
            (children[parent] if parent >= 0 else trees).append(made)
    if len(trees) < 2:
        return trees[0] if trees else None
    return Node("", tuple(reversed(trees)))
