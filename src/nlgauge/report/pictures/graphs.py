"""Draw scene graphs: attributes, objects and relations in columns, from left to right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nlgauge.explain.traces import Graph, Graphs
from nlgauge.report.figures.canvas import Canvas, Points, text_width
from nlgauge.report.pictures.words import (
    GAP,
    HEAD,
    HEIGHT,
    MARGIN,
    draw_title,
    draw_word,
    word_width,
)

ROW, REACH = HEIGHT + 12, 90.0  # heights of rows, and room for the lines to relations
LABEL = 28.0
KEY = "filled: the other side has it too"


@dataclass(frozen=True)
class GraphsPicture:
    """The picture has the hypothesis' graph above the reference's."""

    title: str
    trace: Graphs

    def _sides(self) -> Iterator[tuple[Graph, str, float]]:
        """Return each graph with what is written above it, and where."""
        y = HEAD
        for name, graph in (("hypothesis", self.trace.hyp), ("reference", self.trace.ref)):
            found = graph.matches()
            yield graph, f"{name}: {sum(found)} of {len(found)} matched", y
            y += LABEL + ROW * _rows(graph) + 10

    @property
    def size(self) -> tuple[float, float]:
        """Return the width of the wider graph, and the height of both."""
        sides = list(self._sides())
        wide = max(max(_columns(graph)[-1], MARGIN + text_width(text)) for graph, text, _ in sides)
        graph, _, y = sides[-1]
        return max(wide, MARGIN + text_width(KEY)) + MARGIN, y + LABEL + ROW * _rows(graph) + 22

    def narrowed(self) -> GraphsPicture:
        """Return the picture itself, of which a phone shows a piece at a time."""
        return self

    def draw(self, canvas: Canvas) -> None:
        """Draw one graph below the other."""
        draw_title(canvas, self.title, self.size[0])
        for graph, text, y in self._sides():
            canvas.text(MARGIN, y + 16, text)
            _draw(canvas, graph, y + LABEL)
        canvas.text(MARGIN, self.size[1] - 8, KEY, size=10, colour="muted")


def _rows(graph: Graph) -> int:
    return max(len(graph.objects), len(graph.relations), 1)


def _columns(graph: Graph) -> tuple[float, float, float]:
    """Return where objects start, where relations start, and where the drawing ends."""
    lists = [sum(word_width(a.name) + GAP for a in node.attributes) for node in graph.objects]
    left = MARGIN + max(lists, default=0.0)
    right = left + max((word_width(node.name) for node in graph.objects), default=0.0)
    named = [right + REACH + word_width(relation.name) for relation in graph.relations]
    return left, right + REACH, max(named, default=right)


def _draw(canvas: Canvas, graph: Graph, top: float) -> None:
    left, at, _ = _columns(graph)
    for k, relation in enumerate(graph.relations):
        middle = top + ROW * k + HEIGHT / 2
        for place, arrow in ((relation.source, False), (relation.target, True)):
            x = left + word_width(graph.objects[place].name)
            # The two ends leave an object apart, so that a line in is told from a line out.
            y = top + ROW * place + HEIGHT * (0.7 if arrow else 0.3)
            colour = "series0" if relation.matched else "series7"
            canvas.path(_curve(x, y, at, middle), colour, width=2, dashed=not relation.matched)
            if arrow:
                canvas.area([(x, y), (x + 8, y - 5), (x + 8, y + 5)], colour)
        _node(canvas, at, middle - HEIGHT / 2, relation.name, relation.matched)
    for k, node in enumerate(graph.objects):
        y, x = top + ROW * k, left
        _node(canvas, x, y, node.name, node.matched)
        for attribute in node.attributes:
            canvas.line((x - GAP, y + HEIGHT / 2), (x, y + HEIGHT / 2), "series7", width=2)
            x -= word_width(attribute.name) + GAP
            _node(canvas, x, y, attribute.name, attribute.matched)


def _node(canvas: Canvas, x: float, y: float, name: str, matched: bool) -> None:
    fill, ink = ("series0", "paper") if matched else ("blank", "muted")
    draw_word(canvas, x, y, word_width(name), name, fill, ink=ink)


def _curve(x: float, y: float, end: float, height: float) -> Points:
    """Draw a curve from an object to a relation, level at both ends."""
    t = np.linspace(0, 1, 17)
    return np.column_stack([x + (end - x) * t, y + (height - y) * (3 * t**2 - 2 * t**3)])
