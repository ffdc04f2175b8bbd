"""Scene graphs as pictures: attributes, objects and relations in columns, from left to right."""

from __future__ import annotations

from html import escape

from nlgauge.explain import Graph, Graphs
from nlgauge.report.explanation_shapes import GAP, HEIGHT, MARGIN, box, svg, word_width

MATCHED, OTHER = ("#2b8a3e", "#fff"), ("#f1f3f5", "#868e96")  # fill and ink
LINE, MATCHED_LINE = "#ced4da", "#2b8a3e"
ROW, REACH = HEIGHT + 12, 90  # heights of rows, and room for the lines to relations


def graphs(trace: Graphs) -> str:
    """The hypothesis' graph above the reference's."""
    body, widest, y = "", 0.0, 8.0
    for label, graph in (("hypothesis", trace.hyp), ("reference", trace.ref)):
        found = graph.matches()
        title = f"{label}: {sum(found)} of {len(found)} matched"
        body += f'<text x="{MARGIN}" y="{y + 16:.0f}" fill="#212529">{escape(title)}</text>'
        picture, width, rows = _graph(graph, y + 28)
        body += picture
        widest = max(widest, width, MARGIN + word_width(title))
        y += 28 + ROW * rows + 16
    return svg(widest + MARGIN, y, body)


def _graph(graph: Graph, top: float) -> tuple[str, float, int]:
    """The drawing, its right edge, and how many rows it takes."""
    lists = [sum(word_width(a.name) + GAP for a in node.attributes) for node in graph.objects]
    left = MARGIN + max(lists, default=0.0)  # where the objects start
    right = left + max((word_width(node.name) for node in graph.objects), default=0.0)
    lines, boxes = "", ""
    for k, node in enumerate(graph.objects):
        y = top + ROW * k
        boxes += _node(left, y, node.name, node.matched)
        x = left
        for attribute in node.attributes:
            x -= word_width(attribute.name) + GAP
            boxes += _node(x, y, attribute.name, attribute.matched)
        if node.attributes:
            lines += _line(x, y + HEIGHT / 2, left, y + HEIGHT / 2, matched=False)
    at = right + REACH
    edge = right
    for k, relation in enumerate(graph.relations):
        y = top + ROW * k
        boxes += _node(at, y, relation.name, relation.matched)
        edge = max(edge, at + word_width(relation.name))
        middle = y + HEIGHT / 2
        for place, arrow in ((relation.source, False), (relation.target, True)):
            start = left + word_width(graph.objects[place].name)
            # The two ends leave an object apart, so that a line in is told from a line out.
            height = top + ROW * place + HEIGHT * (0.7 if arrow else 0.3)
            lines += _curve(start, height, at, middle, matched=relation.matched, arrow=arrow)
    return lines + boxes, edge, max(len(graph.objects), len(graph.relations), 1)


def _node(x: float, y: float, name: str, matched: bool) -> str:
    fill, ink = MATCHED if matched else OTHER
    return box(x, round(y), word_width(name), name, fill, ink)


def _line(x1: float, y1: float, x2: float, y2: float, *, matched: bool) -> str:
    colour = MATCHED_LINE if matched else LINE
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        'stroke-width="2"/>'
    )


def _curve(x: float, y: float, end: float, height: float, *, matched: bool, arrow: bool) -> str:
    """From an object to a relation; an arrowhead points at the object that the relation is to."""
    colour = MATCHED_LINE if matched else LINE
    bend = (x + end) / 2
    path = (
        f'<path d="M {x:.1f} {y:.1f} C {bend:.1f} {y:.1f}, {bend:.1f} {height:.1f}, '
        f'{end:.1f} {height:.1f}" fill="none" stroke="{colour}" stroke-width="2"/>'
    )
    if not arrow:
        return path
    points = f"{x:.1f},{y:.1f} {x + 8:.1f},{y - 5:.1f} {x + 8:.1f},{y + 5:.1f}"
    return path + f'<polygon points="{points}" fill="{colour}"/>'
