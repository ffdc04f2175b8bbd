"""Lay out the columns of tables for people who read text: their cells, styles and widths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

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


class StyledText:
    """A text whose parts have styles of their own beside the one that all of it has."""

    def __init__(self, text: str, style: str = "") -> None:
        self.parts: list[tuple[str, str]] = [(text, "")]
        self.style = style

    def append(self, text: str, style: str = "") -> None:
        """Add a part at the end."""
        self.parts.append((text, style))

    @property
    def plain(self) -> str:
        """Return the text without its styles."""
        return "".join(text for text, _ in self.parts)


class TableColumn:
    """A column as text shows it, and how wide it is; `size` measures a text."""

    def __init__(self, grid: Grid, number: int, size: Callable[[str], int]) -> None:
        field = grid.fields[number]
        self.words = grid.is_text(number)
        self.left = field.apart or self.words
        self.head = StyledText("\n".join(map(printable, field.lines or (field.name,))))
        if field.note:
            self.head.append(f"\n{printable(field.note)}", "dim")
        self.cells = _cells(grid, number)
        lines = [line for text in (self.head, *self.cells) for line in text.plain.split("\n")]
        words = [word for line in lines for word in line.split()] if self.words else lines
        self.width = max(map(size, lines), default=0)
        self.least = max(map(size, words), default=0)


def _cells(grid: Grid, column: int) -> list[StyledText]:
    """Return the cells of a column, with their styles."""
    field, cells = grid.fields[column], [row[column] for row in grid.rows]
    if field.apart:
        return _apart(cells, field, grid.marks[column])
    return [
        StyledText(
            printable(grid.shown_cell(cell, column)), "bold" if isinstance(cell, Strong) else ""
        )
        for cell in cells
    ]


def _apart(cells: Sequence[Cell], field: Field, marks: int) -> list[StyledText]:
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
        text = StyledText(
            printable(numbers[i] + mark_of(cell).ljust(marks)),
            "bold green" if isinstance(cell, Strong) else "",
        )
        text.append(spans[i], "dim")
        significant = estimate.p_value is not None and estimate.p_value < ALPHA
        text.append(tests[i], "" if significant else "dim")
        made.append(text)
    return made


def _short_p(p_value: float) -> str:
    """Return a p-value with three decimals; none is 0."""
    return "p<0.001" if p_value < 0.0005 else f"p={p_value:.3f}"


def _aligned(texts: Iterable[str]) -> list[str]:
    listed = list(texts)
    size = max(map(len, listed), default=0)
    return [text.rjust(size) for text in listed]
