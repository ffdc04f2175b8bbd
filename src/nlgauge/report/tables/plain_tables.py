"""Write tables as text to files and pipes, where there are neither colours nor an edge.

What most results are made of is set here, as Rich would, whose import takes longer than a small
score; Rich sets all else, and what a terminal shows.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TextIO

from nlgauge.report.tables.grid import Grid
from nlgauge.report.tables.table_columns import TableColumn

WIDTH = 1000  # of what is no terminal
# Signs that take one place each, by Rich's tables of widths, too.
_RANGES = ((" ", "~"), ("À", "ÿ"))
_SINGLE = "─–−±×·…†‡↑↓→∞≤≥“”’"
NARROW = frozenset(_SINGLE).union(*(map(chr, range(ord(a), ord(z) + 1)) for a, z in _RANGES))
# By these, people ask for a terminal's colours elsewhere.
_FORCED = ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")


def write_text(grids: Sequence[Grid], file: TextIO, *, signatures: bool = False) -> None:
    """Write grids as text; `signatures` shows them in full, also what is as by default."""
    text = plain_text(grids, signatures=signatures) if _is_plain(file) else None
    if text is not None:
        file.write(text)
        return
    from nlgauge.report.tables.printing import print_grids
    from nlgauge.report.tables.terminal import console

    print_grids(grids, console(file=file), signatures=signatures)


def _is_plain(file: TextIO) -> bool:
    forced = any(os.environ.get(name) for name in _FORCED)
    return not forced and not file.isatty() and (file.encoding or "").lower().startswith("utf")


def plain_text(grids: Sequence[Grid], *, signatures: bool = False) -> str | None:
    """Return grids as text; None if that takes folding, or knowing how wide signs are."""
    lines = []
    for grid in grids:
        lines += [grid.title.rstrip()] if grid.title else []
        lines += _table(grid)
        for note in grid.notes:
            if isinstance(note, str):
                lines += [line.rstrip() for line in note.split("\n")]
            else:
                lines.append(str(note) if signatures else note.short or str(note))
    if any(len(line) >= WIDTH for line in lines) or not NARROW.issuperset("".join(lines)):
        return None
    return "".join(f"{line}\n" for line in lines)


def _table(grid: Grid) -> list[str]:
    """Return the lines of a table: the heading set low, a line below it, and blanks around."""
    columns = [TableColumn(grid, i, len) for i in range(len(grid.fields))]
    heads = [column.head.plain.split("\n") for column in columns]
    height = max(map(len, heads))
    low = [[""] * (height - len(head)) + head for head in heads]
    above = [_line(columns, row) for row in zip(*low, strict=True)]
    cells = [[text.plain for text in column.cells] for column in columns]
    rows = [_line(columns, row) for row in zip(*cells, strict=True)]
    blank = " " * len(above[0])
    return [blank, *above, f" {'─' * (len(blank) - 2)} ", *rows, blank]


def _line(columns: Sequence[TableColumn], texts: Sequence[str]) -> str:
    return f" {'   '.join(map(_set, columns, texts))} "


def _set(column: TableColumn, text: str) -> str:
    return text.ljust(column.width) if column.left else text.rstrip().rjust(column.width)
