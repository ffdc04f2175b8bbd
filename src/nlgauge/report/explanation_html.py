"""Explanations as one self-contained HTML page of SVG pictures."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from nlgauge.explain import Alignment, Edits, Explanation, Graphs, Trace
from nlgauge.report.explanation_graphs import graphs
from nlgauge.report.explanation_shapes import GAP, HEIGHT, MARGIN, box, svg, word_width

RUN_COLOURS = ("#0b7285", "#2b8a3e", "#862e9c", "#e67700", "#1864ab", "#c92a2a")
EDIT_COLOURS = {
    "match": "#f1f3f5",
    "substitute": "#ffe8a1",
    "delete": "#c5f6fa",
    "insert": "#ffc9c9",
}

_STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem;
       color: #212529; background: #fff; }
section { margin: 1.5rem 0; border-top: 1px solid #dee2e6; padding-top: .5rem; }
h2 { font-size: 1.15rem; margin: .25rem 0; } h2 small { color: #868e96; font-weight: normal; }
p, code { color: #868e96; font-size: .8rem; overflow-wrap: anywhere; }
.picture { overflow-x: auto; } svg text { font: 14px ui-monospace, monospace; }
.key span { padding: .1rem .4rem; border-radius: 3px; margin-right: .5rem; color: #212529; }
"""


def to_html(explanations: Iterable[Explanation], title: str = "nlgauge explain") -> str:
    """A page with one picture per metric."""
    sections = "".join(_section(explanation) for explanation in explanations)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{escape(title)}</h1>{sections}</body></html>\n"
    )


def _section(explanation: Explanation) -> str:
    score, trace = explanation.score, explanation.trace
    key = ""
    if isinstance(trace, Edits):
        spans = (f'<span style="background:{c}">{op}</span>' for op, c in EDIT_COLOURS.items())
        key = f'<p class="key">{"".join(spans)}</p>'
    return (
        f"<section><h2>{escape(explanation.name)} {score.shown()} "
        f"<small>against reference {explanation.reference + 1}</small></h2>"
        f'<div class="picture">{to_svg(trace)}</div>{key}'
        f"<p>{escape(trace.note)}</p><code>{escape(score.signature)}</code></section>"
    )


def to_svg(trace: Trace) -> str:
    """One picture."""
    if isinstance(trace, Graphs):
        return graphs(trace)
    return _alignment(trace) if isinstance(trace, Alignment) else _edits(trace)


def _lay_out(words: Iterable[str]) -> list[tuple[float, float]]:
    """Left edge and width of each word in a row."""
    boxes, x = [], float(MARGIN)
    for word in words:
        boxes.append((x, word_width(word)))
        x += word_width(word) + GAP
    return boxes


def _alignment(trace: Alignment) -> str:
    top, bottom = 8, 110
    hyp, ref = _lay_out(trace.hyp), _lay_out(trace.ref)
    colour_of_hyp: dict[int, str] = {}
    colour_of_ref: dict[int, str] = {}
    lines = []
    for k, run in enumerate(trace.runs()):
        colour = RUN_COLOURS[k % len(RUN_COLOURS)]
        for link in run:
            colour_of_hyp[link.hyp] = colour_of_ref[link.ref] = colour
            a, b = hyp[link.hyp], ref[link.ref]
            dashes = ' stroke-dasharray="5 4"' if link.label not in ("", "exact") else ""
            lines.append(
                f'<line x1="{a[0] + a[1] / 2:.1f}" y1="{top + HEIGHT}" x2="{b[0] + b[1] / 2:.1f}" '
                f'y2="{bottom}" stroke="{colour}" stroke-width="2"{dashes}>'
                f"<title>{escape(link.label or 'match')}</title></line>"
            )
    body = "".join(lines)
    for words, boxes, colours, y in (
        (trace.hyp, hyp, colour_of_hyp, top),
        (trace.ref, ref, colour_of_ref, bottom),
    ):
        for i, (word, (x, width)) in enumerate(zip(words, boxes, strict=True)):
            ink = "#fff" if i in colours else "#868e96"
            body += box(x, y, width, word, colours.get(i, "#f1f3f5"), ink)
    width = max((x + w for x, w in (*hyp, *ref)), default=0) + MARGIN
    return svg(width, bottom + HEIGHT + 8, body)


def _edits(trace: Edits) -> str:
    body, y, widest = "", 8, 0.0
    words = list(trace.before_shifts)
    for shift in trace.shifts:
        boxes = _lay_out(words)
        for i, (word, (x, width)) in enumerate(zip(words, boxes, strict=True)):
            moved = shift.start <= i < shift.start + shift.length
            body += box(x, y + 26, width, word, "#e5dbff" if moved else "#f8f9fa")
        first, last = boxes[shift.start], boxes[shift.start + shift.length - 1]
        start = (first[0] + last[0] + last[1]) / 2
        end = boxes[shift.target][0] if shift.target < len(boxes) else boxes[-1][0] + boxes[-1][1]
        body += (
            f'<path d="M {start:.1f} {y + 26} C {start:.1f} {y - 4}, {end:.1f} {y - 4}, '
            f'{end:.1f} {y + 24}" fill="none" stroke="#7048e8" stroke-width="2"/>'
        )
        words = shift.apply(words)
        widest = max(widest, boxes[-1][0] + boxes[-1][1])
        y += HEIGHT + 40
    x = float(MARGIN)
    for edit in trace.script:
        hyp = "" if edit.hyp is None else trace.hyp[edit.hyp]
        ref = "" if edit.ref is None else trace.ref[edit.ref]
        width = max(word_width(hyp), word_width(ref))
        fill = EDIT_COLOURS[edit.operation]
        body += box(x, y, width, hyp, fill) + box(x, y + HEIGHT + 4, width, ref, fill)
        x += width + 4
    return svg(max(widest, x) + MARGIN, y + 2 * HEIGHT + 12, body)
