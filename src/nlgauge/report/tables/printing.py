"""Print tables to a terminal; one that is too wide is folded, and no name is ever cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from nlgauge.core.facts.defaults import ALPHA
from nlgauge.report.tables.escapes import printable
from nlgauge.report.tables.grid import (
    Cell,
    Estimate,
    Field,
    Grid,
    Strong,
    bare,
    mark_of,
    number_of,
    span_of,
)
from nlgauge.report.tables.terminal import print_wrapped

GAP = 3  # blanks between columns
MOST_KEYS = 2  # columns of names that are repeated when a table is folded


def print_grids(grids: Iterable[Grid], out: Console, *, signatures: bool = False) -> None:
    """Print grids to a terminal, or to a file as a terminal would show them.

    `signatures` shows them in full, also what is as by default.
    """
    for grid in grids:
        columns = [_Column(grid, i) for i in range(len(grid.fields))]
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
                table.add_column(column.head, justify=justify, no_wrap=keep, overflow="fold")
            for row in zip(*(column.cells for column in chosen), strict=True):
                table.add_row(*row)
            out.print(table)
        for note in grid.notes:
            if isinstance(note, str):
                print_wrapped(out, note, style="dim")
            else:  # in one piece, so that it can be copied
                out.print(Text(str(note) if signatures else note.short or str(note), style="dim"))


class _Column:
    """A column as a terminal shows it, and how wide it is."""

    def __init__(self, grid: Grid, number: int) -> None:
        field = grid.fields[number]
        self.words = grid.is_text(number)
        self.left = field.apart or self.words
        self.head = Text("\n".join(map(printable, field.lines or (field.name,))))
        if field.note:
            self.head.append(f"\n{printable(field.note)}", style="dim")
        self.cells = _cells(grid, number)
        lines = [line for text in (self.head, *self.cells) for line in text.plain.split("\n")]
        words = [word for line in lines for word in line.split()] if self.words else lines
        self.width = max(map(cell_len, lines), default=0)
        self.least = max(map(cell_len, words), default=0)


def _folded(columns: Sequence[_Column], width: int) -> list[list[_Column]]:
    """Return columns in groups that fit; the first ones, if they hold names, are in each."""
    keys = list(columns[: _keys(columns)])
    groups: list[list[_Column]] = [[]]
    for column in columns[len(keys) :]:
        if groups[-1] and _width([*keys, *groups[-1], column], len(keys)) > width:
            groups.append([])
        groups[-1].append(column)
    return [[*keys, *group] for group in groups]


def _keys(columns: Sequence[_Column]) -> int:
    """Return how many of the first columns hold names."""
    words = [column.words for column in columns[:MOST_KEYS]]
    return words.index(False) if False in words else len(words)


def _width(columns: Sequence[_Column], keys: int) -> int:
    """Return how wide columns are at least: names in one line, sentences broken at blanks."""
    sizes = [column.width if i < keys else column.least for i, column in enumerate(columns)]
    return sum(sizes) + GAP * len(columns)


def _cells(grid: Grid, column: int) -> list[Text]:
    """Return the cells of a column, with their styles."""
    field, cells = grid.fields[column], [row[column] for row in grid.rows]
    if field.apart:
        return _apart(cells, field, grid.marks[column])
    return [
        Text(
            printable(grid.shown_cell(cell, column)),
            style="bold" if isinstance(cell, Strong) else "",
        )
        for cell in cells
    ]


def _apart(cells: Sequence[Cell], field: Field, marks: int) -> list[Text]:
    """Set number, interval and p-value of each cell below their like."""
    values = [bare(cell) for cell in cells]
    estimates = [value if isinstance(value, Estimate) else Estimate(0) for value in values]
    numbers = _aligned(number_of(cell, field) for cell in cells)
    spans = _aligned(
        "" if e.low is None else f" {span_of(e, e.format or field.format)}" for e in estimates
    )
    tests = _aligned("" if e.p_value is None else f" {_short_p(e.p_value)}" for e in estimates)
    made = []
    for i, (cell, estimate) in enumerate(zip(cells, estimates, strict=True)):
        text = Text(printable(numbers[i] + mark_of(cell).ljust(marks)))
        text.style = "bold green" if isinstance(cell, Strong) else ""
        text.append(spans[i], style="dim")
        significant = estimate.p_value is not None and estimate.p_value < ALPHA
        text.append(tests[i], style="" if significant else "dim")
        made.append(text)
    return made


def _short_p(p_value: float) -> str:
    """Return a p-value with three decimals; none is 0."""
    return "p<0.001" if p_value < 0.0005 else f"p={p_value:.3f}"


def _aligned(texts: Iterable[str]) -> list[str]:
    listed = list(texts)
    size = max(map(len, listed), default=0)
    return [text.rjust(size) for text in listed]
