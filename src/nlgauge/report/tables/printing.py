"""Print tables to a terminal; one that is too wide is folded, and no name is ever cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from nlgauge.report.tables.escapes import printable
from nlgauge.report.tables.grid import Grid
from nlgauge.report.tables.table_columns import StyledText, TableColumn
from nlgauge.report.tables.terminal import print_wrapped

GAP = 3  # blanks between columns
MOST_KEYS = 2  # columns of names that are repeated when a table is folded


def print_grids(grids: Iterable[Grid], out: Console, *, signatures: bool = False) -> None:
    """Print grids to a terminal, or to a file as a terminal would show them.

    `signatures` shows them in full, also what is as by default.
    """
    for grid in grids:
        columns = [TableColumn(grid, i, cell_len) for i in range(len(grid.fields))]
        for number, chosen in enumerate(_folded(columns, out.width)):
            if grid.title and not number:
                print_wrapped(out, Text(printable(grid.title), style="table.title"))
            table = Table(box=SIMPLE_HEAD, pad_edge=False)
            fits = sum(column.width + GAP for column in chosen) <= out.width
            least = _width(chosen, _keys(columns)) <= out.width  # with sentences broken at blanks
            for i, column in enumerate(chosen):
                justify: Literal["left", "right"] = "left" if column.left else "right"
                # Names are broken, rather than cut, only where not even two columns fit.
                keep = fits or not column.words or (least and i < _keys(columns))
                table.add_column(_text(column.head), justify=justify, no_wrap=keep, overflow="fold")
            for row in zip(*(column.cells for column in chosen), strict=True):
                table.add_row(*map(_text, row))
            out.print(table)
        for note in grid.notes:
            if isinstance(note, str):
                print_wrapped(out, note, style="dim")
            else:  # in one piece, so that it can be copied
                out.print(Text(str(note) if signatures else note.short or str(note), style="dim"))


def _folded(columns: Sequence[TableColumn], width: int) -> list[list[TableColumn]]:
    """Return columns in groups that fit; the first ones, if they hold names, are in each."""
    keys = list(columns[: _keys(columns)])
    groups: list[list[TableColumn]] = [[]]
    for column in columns[len(keys) :]:
        if groups[-1] and _width([*keys, *groups[-1], column], len(keys)) > width:
            groups.append([])
        groups[-1].append(column)
    return [[*keys, *group] for group in groups]


def _keys(columns: Sequence[TableColumn]) -> int:
    """Return how many of the first columns hold names."""
    words = [column.words for column in columns[:MOST_KEYS]]
    return words.index(False) if False in words else len(words)


def _width(columns: Sequence[TableColumn], keys: int) -> int:
    """Return how wide columns are at least: names in one line, sentences broken at blanks."""
    sizes = [column.width if i < keys else column.least for i, column in enumerate(columns)]
    return sum(sizes) + GAP * len(columns)


def _text(styled: StyledText) -> Text:
    """Return a text as Rich has it."""
    return Text.assemble(*styled.parts, style=styled.style)
