"""Write constituent trees as labelled spans, one for each stretch of words, as span parsers do.

Constituents over the same words become one label from top to bottom (`S+VP`). The outermost TOP or
ROOT is left out, since every tree has one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from nlgauge.data.constituents import Constituent

Span = tuple[int, int]  # [start, end) in words
OUTER = ("TOP", "ROOT", "")
JOIN = "+"


def spans_of(tree: Constituent) -> dict[Span, str]:
    """Return the label of each span that is a constituent."""
    nodes = list(tree.downward())
    starts, at = [0] * len(nodes), 0
    for place, (_, node) in enumerate(nodes):
        starts[place] = at
        at += node.word is not None
    ends = [start + 1 for start in starts]
    found: dict[Span, str] = {}
    for place in range(len(nodes) - 1, -1, -1):  # parts before the whole
        parent, node = nodes[place]
        if parent >= 0:
            ends[parent] = max(ends[parent], ends[place])
        if node.word is None and not (parent < 0 and node.label in OUTER):
            span = starts[place], ends[place]
            found[span] = node.label + JOIN + found[span] if span in found else node.label
    return found


def tree_of(words: Sequence[str], tags: Sequence[str], spans: Mapping[Span, str]) -> Constituent:
    """Return the tree of spans under a TOP; they must not cross."""
    ordered = sorted(spans.items(), key=lambda item: (item[0][0], -item[0][1]))
    open_: list[tuple[int, str, list[Constituent]]] = [(len(words), "TOP", [])]
    at = 0
    for i, (word, tag) in enumerate(zip(words, tags, strict=True)):
        while at < len(ordered) and ordered[at][0][0] == i:
            (_, end), label = ordered[at]
            open_ += [(end, part, []) for part in label.split(JOIN)]
            at += 1
        open_[-1][2].append(Constituent(tag, word=word))
        while len(open_) > 1 and open_[-1][0] == i + 1:
            _, label, children = open_.pop()
            open_[-1][2].append(Constituent(label, tuple(children)))
    return Constituent("TOP", tuple(open_[0][2]))


def labels_in(sentences: Iterable[Mapping[Span, str]], *, least: int = 1) -> list[str]:
    """Return all labels that occur so often, sorted."""
    counts = Counter(label for spans in sentences for label in spans.values())
    return sorted(label for label, count in counts.items() if count >= least)
