"""Show similarities, trees and frames as coloured text.

What matched is in brackets too, for where colours are missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

import numpy as np
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from nlgauge.explain.traces import (
    Frames,
    FrameSpans,
    Match,
    Node,
    RoleSpan,
    TokenSimilarities,
    Trees,
)
from nlgauge.report.figures.colours import ink_on
from nlgauge.report.pictures.similarity_map import SimilarityMap
from nlgauge.report.pictures.trees import raised
from nlgauge.report.pictures.words import joined, shown, wrapped

LABEL, MOST_WIDTH = 16, 160  # columns of a label, and of everything
MATCHED = "bold cyan"
BRACKETS = {"hyp": ("‹", "›"), "ref": ("(", ")"), "both": ("[", "]")}
SAYS = {"hyp": "‹best of the row›", "ref": "(best of the column)", "both": "[best of both]"}


def similarity_lines(trace: TokenSimilarities, width: int, other: str) -> list[Text]:
    """Return the map of similarities where it fits, else each token with its partners."""
    if not trace.matrix.size:
        side = "hypothesis" if not trace.hyp else other
        return [Text(f"  the {side} has no tokens to compare", style="dim")]
    if not trace.weighted:
        trace = replace(trace, hyp_weights=None, ref_weights=None)
    if len(trace.hyp) == 1 and any(" " in token for token in trace.ref):
        return _sentences(trace, min(width, MOST_WIDTH), other)
    weighted = [] if trace.ref_weights is None else ["weight"]
    room = min(LABEL, max(cell_len(shown(token)) for token in (*trace.hyp, *weighted)))
    cell = 8 if np.nanmin(trace.matrix, initial=0) < 0 else 7
    weight = trace.hyp_weights is not None
    if 3 + room + cell * (len(trace.ref) + weight) <= min(width, MOST_WIDTH):
        return _map(trace, room, cell, other)
    return _lists(trace, min(width, MOST_WIDTH), other)


def _fitted(text: str, size: int) -> str:
    """Return the text in exactly so many columns, cut with an ellipsis or filled with blanks."""
    if cell_len(text) > size:
        text = set_cell_size(text, size - 1).rstrip() + "…"
    return set_cell_size(text, size)


def _map(trace: TokenSimilarities, room: int, cell: int, other: str) -> list[Text]:
    """Return numbers on colours, with the tokens' weights at the right and at the bottom."""
    chosen = {(match.hyp, match.ref): match for match in trace.matches}
    colours = SimilarityMap("", trace)
    head = Text(" " * (room + 3))
    for token in trace.ref:
        head.append(f" {_fitted(shown(token), cell - 1)}")
    if trace.hyp_weights is not None:
        head.append(" weight", style="dim")
    lines = [head]
    for i, token in enumerate(trace.hyp):
        line = Text(f"  {_fitted(shown(token), room)} ")
        for j, value in enumerate(trace.matrix[i].tolist()):
            match = chosen.get((i, j))
            left, right = BRACKETS[match.side] if match else (" ", " ")
            if np.isnan(value):
                line.append(" " + "–".center(cell - 1), style="dim")
                continue
            colour = colours.colour_of(value)
            style = f"{'bold ' if match else ''}{ink_on(colour)} on {colour}"
            number = f"{left}{value:.2f}{right}".rjust(cell - 1)
            line.append(" ").append(number, style=style)
        if trace.hyp_weights is not None:
            line.append(f" {trace.hyp_weights[i]:6.2f}", style="dim")
        lines.append(line)
    if trace.ref_weights is not None:
        numbers = "".join(f" {w:.2f} ".rjust(cell) for w in trace.ref_weights)
        lines.append(Text(f"  {_fitted('weight', room)} {numbers}", style="dim"))
    says = f"{trace.measure}; rows: hypothesis, columns: {other}"
    if any(match.flow is not None for match in trace.matches):
        says += "; [moved between these]"
    else:
        found = {match.side for match in trace.matches}
        says += "".join(f", {text}" for side, text in SAYS.items() if side in found)
    return [*lines, Text(f"  {says}", style="dim")]


def _sentences(trace: TokenSimilarities, width: int, other: str) -> list[Text]:
    """Return the sentences that one text is compared with on a line each, after their numbers."""
    chosen = {match.ref for match in trace.matches}
    lines = [Text(f"  {_cut(trace.hyp[0], width - 2)}")]
    for k, (token, value) in enumerate(zip(trace.ref, trace.matrix[0].tolist(), strict=True)):
        left, right = BRACKETS["both"] if k in chosen else (" ", " ")
        number = f"{left}{value:.2f}{right}".rjust(10)
        style = MATCHED if k in chosen else ""
        lines.append(Text(f"{number}  {_cut(token, width - 12)}", style=style))
    says = f"{trace.measure}; one line each: {other}" + (", [the largest]" if chosen else "")
    return [*lines, Text(f"  {says}", style="dim")]


def _cut(text: str, size: int) -> str:
    return _fitted(shown(text), size).rstrip()


def _lists(trace: TokenSimilarities, width: int, other: str) -> list[Text]:
    """Return what counted, in the order of the text, for sentences whose map is too wide."""
    if any(match.flow is not None for match in trace.matches):
        return _listed("moved, of all", trace, trace.matches, width)
    of_hyp = [m for m in trace.matches if m.side != "ref"]
    of_ref = sorted((m for m in trace.matches if m.side != "hyp"), key=lambda m: m.ref)
    size = f"{len(trace.hyp)} × {len(trace.ref)} tokens: see the map by --html or --picture"
    return [
        *_listed("best for each of the hypothesis", trace, of_hyp, width),
        *_listed(f"best for each of the {other}", trace, of_ref, width),
        Text(f"  {trace.measure}; {size}", style="dim"),
    ]


def _listed(
    head: str, trace: TokenSimilarities, matches: Sequence[Match], width: int
) -> list[Text]:
    """Return pairs in as many columns as there is room for."""
    if not matches:
        return []
    total = sum(match.flow or 0.0 for match in matches)
    entries = []
    for match in matches:
        text = f"{shown(trace.hyp[match.hyp])}–{shown(trace.ref[match.ref])}"
        number = f" {trace.matrix[match.hyp, match.ref]:.2f}"
        number += "" if match.flow is None else f" {match.flow / total:.0%}"
        entries.append(_fitted(text, min(cell_len(text), 30)) + number)
    size = max(map(cell_len, entries)) + 2
    across = max(1, (width - 4) // size)
    lines = [Text(f"  {head}")]
    for start in range(0, len(entries), across):
        row = entries[start : start + across]
        lines.append(Text("    " + "".join(set_cell_size(e, size) for e in row).rstrip()))
    return lines


def tree_lines(trace: Trees, width: int, other: str) -> list[Text]:
    """Return the outlines of both trees, beside each other where they fit."""
    sides = []
    for name, root in (("hypothesis", trace.hyp), (other, trace.ref)):
        lines = [Text(name, style="dim")]
        sides.append(lines + ([Text("no tree", style="dim")] if root is None else _outline(root)))
    left, right = (max(line.cell_len for line in lines) for lines in sides)
    if left + right + 8 > min(width, MOST_WIDTH):
        return [Text("  ").append_text(line) for lines in sides for line in lines]
    rows = zip_longest(*sides, fillvalue=Text(""))
    gap = left + 6
    return [
        Text("  ").append_text(a).append(" " * (gap - a.cell_len)).append_text(b) for a, b in rows
    ]


def _outline(root: Node) -> list[Text]:
    """Return a line for each node, with its words after it."""
    lines = []
    waiting = [(root, "", "")]  # with what stands before it, and before all below it
    while waiting:
        node, before, below = waiting.pop()
        inner = [child for child in node.children if not child.word]
        words = joined([child.label for child in node.children if child.word])
        line = Text(before, style="dim")
        label = shown(node.label) if node.label else "·"
        if node.matched:
            line.append(f"[{label}]{raised(node.matched)}", style=f"not dim {MATCHED}")
        else:
            line.append(label, style="not dim")
        lines.append(line.append(f" {words}" if words else "", style="not dim"))
        for k, child in reversed(list(enumerate(inner, 1))):
            last = k == len(inner)
            branch, after = ("└ ", "  ") if last else ("├ ", "│ ")
            waiting.append((child, below + branch, below + after))
    return lines


def frame_lines(trace: Frames, width: int, other: str) -> list[Text]:
    """Return aligned roles beside each other, then the frames of one side alone."""
    if not (trace.hyp_frames or trace.ref_frames):
        return [Text("  no frames on either side", style="dim")]
    lines = []
    for pair in trace.pairs:
        hyp, ref = trace.hyp_frames[pair.hyp], trace.ref_frames[pair.ref]
        rows: list[tuple[RoleSpan | None, RoleSpan | None, float]]
        rows = [(hyp.predicate, ref.predicate, pair.similarity)]
        rows += [(hyp.roles[r.hyp], ref.roles[r.ref], r.similarity) for r in pair.roles]
        used = {r.hyp for r in pair.roles}, {r.ref for r in pair.roles}
        rows += [(r, None, np.nan) for k, r in enumerate(hyp.roles) if k not in used[0]]
        rows += [(None, r, np.nan) for k, r in enumerate(ref.roles) if k not in used[1]]
        lines += _frame(trace, rows, min(width, MOST_WIDTH), f"hypothesis – {other}")
    for name, frames, aligned in (
        ("hypothesis", trace.hyp_frames, {pair.hyp for pair in trace.pairs}),
        (other, trace.ref_frames, {pair.ref for pair in trace.pairs}),
    ):
        for frame in (f for k, f in enumerate(frames) if k not in aligned):
            roles: Iterator[RoleSpan] = _roles(frame)
            rows = [
                (r, None, np.nan) if frames is trace.hyp_frames else (None, r, np.nan)
                for r in roles
            ]
            lines += _frame(trace, rows, min(width, MOST_WIDTH), f"only in the {name}")
    return lines


def _roles(frame: FrameSpans) -> Iterator[RoleSpan]:
    yield frame.predicate
    yield from frame.roles


def _frame(
    trace: Frames,
    rows: Sequence[tuple[RoleSpan | None, RoleSpan | None, float]],
    width: int,
    head: str,
) -> list[Text]:
    """Return label, both fillers and similarity; fillers are broken into lines."""
    labels = ["/".join(dict.fromkeys(r.label for r in row[:2] if r)) for row in rows]
    room = max(map(cell_len, labels))
    texts = [
        [
            joined(words[role.start : role.end]) if role else "·"
            for words, role in ((trace.hyp, hyp), (trace.ref, ref))
        ]
        for hyp, ref, _ in rows
    ]
    longest = max(cell_len(text) for pair in texts for text in pair)
    half = min((width - room - 14) // 2, 60, longest)
    lines = [Text(f"  {head}", style="dim")]
    for label, pair, (*_, similarity) in zip(labels, texts, rows, strict=True):
        fillers = [wrapped(text, half, cell_len) for text in pair]
        matched = not np.isnan(similarity)
        for k, (a, b) in enumerate(zip_longest(*fillers, fillvalue="")):
            line = Text(f"    {set_cell_size('' if k else label, room)}  ", style="bold")
            style = f"not bold {MATCHED}" if matched else "not bold dim"
            line.append(f"{set_cell_size(a, half)}  {set_cell_size(b, half)}", style=style)
            line.append(f"  {similarity:.2f}" if matched and not k else "", style="bold")
            line.rstrip()
            lines.append(line)
    return lines
