"""Draw two trees side by side: from the top for short sentences, from the left for long ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from nlgauge.explain.traces import Node, Trees
from nlgauge.report.figures.canvas import Canvas, box, text_width
from nlgauge.report.pictures.words import HEAD, MARGIN, draw_title, joined, right_to_left, shown

MOST_WIDTH = 1240.0  # of both trees drawn from the top
SIZE, BOX = 11.0, 18.0  # of letters and boxes
DROP, ROW, GAP, STEP = 44.0, 20.0, 8.0, 16.0  # between levels, rows and neighbours
SIDE, APART = 24.0, 40.0  # room for the sides' names, and between the trees
KEY = (
    "filled: the other tree has this node",
    "thick line: together with what is below it; ² ³ …: so many levels",
)
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def raised(levels: int) -> str:
    """Return how many levels match, where it is more than the label alone."""
    return str(levels).translate(_RAISED) if levels > 1 else ""


@dataclass(frozen=True)
class PlacedNode:
    """A placed node is in the middle of its box, with its words beyond, and its parent's number."""

    node: Node
    words: str
    level: int
    across: float  # along the words
    parent: int
    whole: bool  # whether the line to the parent is part of a match

    @property
    def text(self) -> str:
        """Return its label, and how many levels match if it is more than the label."""
        label = shown(self.node.label) if self.node.label else ""
        return label + raised(self.node.matched)

    @property
    def width(self) -> float:
        """Return the width of the node's box."""
        return text_width(self.text, SIZE) + 10


@dataclass(frozen=True)
class TreesPicture:
    """The picture has levels in layers, each node over (or beside) the middle of its parts."""

    title: str
    trace: Trees
    other: str = "reference"

    @cached_property
    def _sides(self) -> tuple[bool, list[list[PlacedNode]]]:
        """Return whether the trees are drawn from the top, and both trees."""
        roots = self.trace.hyp, self.trace.ref
        trees = [[] if root is None else _placed(root, from_top=True) for root in roots]
        if sum(_extent(tree, from_top=True)[0] for tree in trees) + APART <= MOST_WIDTH:
            return True, trees
        return False, [[] if root is None else _placed(root, from_top=False) for root in roots]

    @property
    def size(self) -> tuple[float, float]:
        """Return the size of both trees and the key."""
        from_top, trees = self._sides
        extents = [_extent(tree, from_top=from_top) for tree in trees]
        width = sum(wide for wide, _ in extents) + APART + 2 * MARGIN
        height = HEAD + SIDE + max(high for _, high in extents) + 48
        return max(width, MARGIN + max(text_width(line, 10) for line in KEY) + MARGIN), height

    def narrowed(self) -> TreesPicture:
        """Return the picture itself, of which a phone shows a piece at a time."""
        return self

    def draw(self, canvas: Canvas) -> None:
        """Draw the hypothesis' tree on the left of the reference's."""
        from_top, trees = self._sides
        draw_title(canvas, self.title, self.size[0])
        left = MARGIN
        for name, tree in zip(("hypothesis", self.other), trees, strict=True):
            nodes = [placed.node for placed in tree if placed.node.label]
            found = sum(node.matched > 0 for node in nodes)
            says = f"{name}: {found} of {len(nodes)} nodes matched" if tree else f"{name}: no tree"
            canvas.text(left, HEAD + 10, says, size=SIZE)
            _draw(canvas, tree, left, HEAD + SIDE, from_top=from_top)
            left += _extent(tree, from_top=from_top)[0] + APART
        for k, line in enumerate(KEY):
            canvas.text(MARGIN, self.size[1] - 24 + 14 * k, line, size=10, colour="muted")


def _placed(root: Node, *, from_top: bool) -> list[PlacedNode]:
    """Return all nodes but words, parents first, from 0 in the direction of the words."""
    made: list[PlacedNode] = []
    waiting = [(root, 0, -1, 0)]  # node, level, parent, matched levels that are left
    while waiting:
        node, level, parent, left = waiting.pop()
        words = joined([child.label for child in node.children if child.word])
        left_here = max(left - 1, node.matched)
        inner = [child for child in node.children if not child.word]
        waiting += [(child, level + 1, len(made), left_here) for child in reversed(inner)]
        made.append(PlacedNode(node, words, level, 0.0, parent, left > 1))
    own = [max(p.width, text_width(p.words, SIZE)) + GAP if from_top else ROW for p in made]
    below = [0.0] * len(made)
    room = own.copy()
    for k in reversed(range(len(made))):  # children come after their parents
        room[k] = max(own[k], below[k])
        if made[k].parent >= 0:
            below[made[k].parent] += room[k]
    # Each node in the middle of its room, which its children share.
    start = [0.0] * len(made)
    free = [0.0] * len(made)
    for k, placed in enumerate(made):
        if placed.parent >= 0:
            start[k] = free[placed.parent]
            free[placed.parent] += room[k]
        free[k] = start[k] + (room[k] - below[k]) / 2
    mirrored = from_top and right_to_left(p.words for p in made)
    middles = [a + b / 2 for a, b in zip(start, room, strict=True)]
    return [
        replace(p, across=room[0] - x if mirrored else x)
        for p, x in zip(made, middles, strict=True)
    ]


def _columns(tree: list[PlacedNode]) -> list[float]:
    """Return where the levels of a tree that grows to the right start."""
    widest = [0.0] * (max(placed.level for placed in tree) + 1)
    for placed in tree:
        widest[placed.level] = max(widest[placed.level], placed.width)
    return [sum(widest[:k]) + STEP * k for k in range(len(widest))]


def _extent(tree: list[PlacedNode], *, from_top: bool) -> tuple[float, float]:
    """Return the width and the height of a tree."""
    if not tree:
        return 120.0, 0.0
    if from_top:
        ends = [p.across + max(p.width, text_width(p.words, SIZE)) / 2 for p in tree]
        return max(*ends, 200.0), DROP * max(p.level for p in tree) + BOX + 24
    columns = _columns(tree)
    ends = [columns[p.level] + p.width + 6 + text_width(p.words, SIZE) for p in tree]
    return max(*ends, 200.0), max(p.across for p in tree) + ROW / 2


def _draw(
    canvas: Canvas, tree: list[PlacedNode], left: float, top: float, *, from_top: bool
) -> None:
    if not tree:
        return
    columns = [] if from_top else _columns(tree)
    corners = [
        (left + p.across - p.width / 2, top + DROP * p.level)
        if from_top
        else (left + columns[p.level], top + p.across - BOX / 2)
        for p in tree
    ]
    for placed, (x, y) in zip(tree, corners, strict=True):
        if placed.parent < 0:
            continue
        over, (px, py) = tree[placed.parent], corners[placed.parent]
        if from_top:
            ends = (px + over.width / 2, py + BOX), (x + placed.width / 2, y)
        else:
            ends = (px + over.width, py + BOX / 2), (x, y + BOX / 2)
        if placed.whole:
            canvas.line(*ends, "series0", width=2.5)
        else:
            canvas.line(*ends, "muted", dashed=True)
    for placed, (x, y) in zip(tree, corners, strict=True):
        node, wide = placed.node, placed.width
        note = f"{node.label}: {node.matched} levels matched" if node.matched else node.label
        fill, ink = ("series0", "paper") if node.matched else ("blank", "ink")
        if node.label:
            canvas.area(box(x, y, wide, BOX), fill, note=note)
            canvas.text(
                x + wide / 2, y + 13, placed.text, size=SIZE, anchor="middle", colour=ink, note=note
            )
        if placed.words:
            if from_top:
                canvas.text(x + wide / 2, y + BOX + 15, placed.words, size=SIZE, anchor="middle")
            else:
                canvas.text(x + wide + 6, y + 13, placed.words, size=SIZE)
