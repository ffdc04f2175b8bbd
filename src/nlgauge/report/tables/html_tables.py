"""Write tables as HTML for notebooks, which bring the style."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from nlgauge.report.tables.grid import Grid, SignatureNote, Strong


def to_html(grids: Sequence[Grid]) -> str:
    """Return tables with their titles above and their notes below."""
    return "\n".join(map(_table, grids))


def _table(grid: Grid) -> str:
    heads = "".join(f"<th{_side(grid, i)}>{escape(f.name)}</th>" for i, f in enumerate(grid.fields))
    lines = []
    for row in grid.rows:
        texts = (escape(text.strip()) for text in grid.shown(row))
        cells = (
            f"<td{_side(grid, i)}>{f'<b>{text}</b>' if isinstance(cell, Strong) else text}</td>"
            for i, (cell, text) in enumerate(zip(row, texts, strict=True))
        )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    caption = f"<caption>{escape(grid.title)}</caption>" if grid.title else ""
    notes = "".join(f"<br><small>{escape(_note(note))}</small>" for note in grid.notes)
    return (
        f"<table>{caption}<thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table>{notes.removeprefix('<br>')}"
    )


def _side(grid: Grid, column: int) -> str:
    return f' style="text-align:{"left" if grid.is_text(column) else "right"}"'


def _note(note: str | SignatureNote) -> str:
    return (isinstance(note, SignatureNote) and note.short) or str(note)
