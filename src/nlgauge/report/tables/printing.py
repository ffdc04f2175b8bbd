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

GAP, LEAST_GAP = 3, 1  # blanks between columns, and where names would have to be broken otherwise
MOST_KEYS = 2  # columns of names that are repeated when a table is folded


def print_grids(grids: Iterable[Grid], out: Console, *, signatures: bool = False) -> None:
    """Print grids to a terminal, or to a file as a terminal would show them.

    `signatures` shows them in full, also what is as by default.
    """
    for grid in grids:
        columns = [TableColumn(grid, i, cell_len) for i in range(len(grid.fields))]
        keys = _keys(columns)
        for number, chosen in enumerate(_folded(columns, keys, out.width)):
            if grid.title and not number:
                print_wrapped(out, Text(printable(grid.title), style="table.title"))
            fits = sum(column.width + GAP for column in chosen) <= out.width
            gap = GAP if _width(chosen, keys) <= out.width else LEAST_GAP
            # With sentences broken at blanks.
            least = _width(chosen, keys, gap) + (gap == LEAST_GAP) <= out.width
            gap = gap if least else GAP
            table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, (gap - 1) // 2))
            for column in chosen:
                justify: Literal["left", "right"] = "left" if column.left else "right"
                # Names are broken, rather than cut, only where not even two columns fit.
                keep = fits or not column.words or (least and column in keys)
                table.add_column(_text(column.head), justify=justify, no_wrap=keep, overflow="fold")
            for row in zip(*(column.cells for column in chosen), strict=True):
                table.add_row(*map(_text, row))
            out.print(table)
        for note in grid.notes:
            if isinstance(note, str):
                print_wrapped(out, note, style="dim")
            else:  # in one piece, so that it can be copied
                out.print(Text(str(note) if signatures else note.short or str(note), style="dim"))


def _folded(
    columns: Sequence[TableColumn], keys: Sequence[TableColumn], width: int
) -> list[list[TableColumn]]:
    """Return columns in groups that fit; those with names begin each group but the first, which
    has all columns in their order.
    """
    first = len(keys) if keys and keys[0] is columns[0] else 0
    groups: list[list[TableColumn]] = [list(columns[:first])]
    for column in columns[first:]:
        begun = len(groups[-1]) > (first if len(groups) == 1 else len(keys))
        if begun and _width([*groups[-1], column], keys) > width:
            # A table whose names come late may be folded before them.
            groups.append([key for key in keys if key is not column])
        groups[-1].append(column)
    return groups


def _keys(columns: Sequence[TableColumn]) -> list[TableColumn]:
    """Return the columns that say what a row is about: the first ones, if they hold words, or else
    the first with letters, such as the systems behind their ranks.
    """
    words = [column.words for column in columns[:MOST_KEYS]]
    leading = words.index(False) if False in words else len(words)
    if leading or not columns:
        return list(columns[:leading])
    named = (c for c in columns if c.words and any(map(_has_letters, c.cells)))
    return [key for key in (next(named, None),) if key is not None]


def _has_letters(cell: StyledText) -> bool:
    return any(map(str.isalpha, cell.plain))


def _width(columns: Sequence[TableColumn], keys: Sequence[TableColumn], gap: int = GAP) -> int:
    """Return how wide columns are at least: names in one line, sentences broken at blanks."""
    sizes = [column.width if column in keys else column.least for column in columns]
    return sum(sizes) + gap * len(columns)


def _text(styled: StyledText) -> Text:
    """Return a text as Rich has it."""
    return Text.assemble(*styled.parts, style=styled.style)
