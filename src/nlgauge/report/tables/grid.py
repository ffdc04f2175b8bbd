"""Tables of results, whatever their rows are: for the terminal, TSV, Markdown and LaTeX.

A command builds its grids once; every output format, and the HTML report, prints those.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from nlgauge.report.tables.escapes import (
    json_text,
    latex,
    markdown,
    markdown_cell,
    one_line,
    printable,
    tsv_cell,
)


@dataclass(frozen=True)
class Estimate:
    """A number with its confidence interval."""

    value: float
    low: float
    high: float


Value = str | float | int | bool | Estimate | None


@dataclass(frozen=True)
class Strong:
    """A cell to stand out: the best of its column, or a significant one; with a mark behind it if a
    note explains one.
    """

    value: Value
    mark: str = ""


Cell = Value | Strong


@dataclass(frozen=True)
class Field:
    """A column: its heading, how its numbers are written (as for `format`), and the heading on
    several lines for a terminal where one would make the column too wide.
    """

    name: str
    format: str = ".3f"
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Grid:
    """A titled table with notes below it. None and NaN are shown as a dash: there is no value."""

    title: str
    fields: tuple[Field, ...]
    rows: Sequence[Sequence[Cell]]
    notes: tuple[str, ...] = ()

    def shown(self, row: Sequence[Cell]) -> list[str]:
        """The texts of a row's cells. If some of a column have a mark, the others leave room."""
        return [
            show(cell, field.format) + (mark_of(cell) or " " * marks)
            for cell, field, marks in zip(row, self.fields, self._marks, strict=True)
        ]

    @cached_property
    def _marks(self) -> list[int]:
        """The longest mark of each column."""
        columns = range(len(self.fields))
        return [max((len(mark_of(row[i])) for row in self.rows), default=0) for i in columns]

    def is_text(self, column: int) -> bool:
        """Whether a column holds words, and is thus set flush left."""
        return any(isinstance(bare(row[column]), str) for row in self.rows)


def mark_of(cell: Cell) -> str:
    """The mark behind a cell's value."""
    return cell.mark if isinstance(cell, Strong) else ""


def bare(cell: Cell) -> Value:
    """A cell without its emphasis."""
    return cell.value if isinstance(cell, Strong) else cell


def show(cell: Cell, format: str) -> str:
    """A cell as people read it."""
    value = bare(cell)
    if isinstance(value, Estimate):
        span = f"[{show(value.low, format)}, {show(value.high, format)}]"
        return f"{show(value.value, format)} {span}"
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:{format}}" if isinstance(value, float) else str(value)


def print_grids(grids: Iterable[Grid], out: Console) -> None:
    """On a terminal."""
    for grid in grids:
        table = Table(box=SIMPLE_HEAD, pad_edge=False, title=Text(grid.title), title_justify="left")
        for i, field in enumerate(grid.fields):
            table.add_column(
                Text("\n".join(map(printable, field.lines or (field.name,)))),
                justify="left" if grid.is_text(i) else "right",
                no_wrap=True,
            )
        for row in grid.rows:
            cells = zip(map(printable, grid.shown(row)), row, strict=True)
            table.add_row(
                *(Text(t, style="bold" if isinstance(c, Strong) else "") for t, c in cells)
            )
        out.print(table)
        for note in grid.notes:
            out.print(Text(note, style="dim"))


def to_tsv(grids: Sequence[Grid]) -> str:
    """Numbers in full; the bounds of an interval in columns of their own. Several tables are
    divided by blank lines, each under a line `# title`.
    """
    blocks = []
    for grid in grids:
        lines = [f"# {one_line(grid.title)}"] if len(grids) > 1 else []
        spans = [any(isinstance(bare(row[i]), Estimate) for row in grid.rows) for i in _all(grid)]
        names = ([f.name, f"{f.name}_low", f"{f.name}_high"] for f in grid.fields)
        header = [n if span else n[:1] for n, span in zip(names, spans, strict=True)]
        lines.append("\t".join(map(tsv_cell, chain(*header))))
        for row in grid.rows:
            cells = (_exact(bare(c), span) for c, span in zip(row, spans, strict=True))
            lines.append("\t".join(map(tsv_cell, chain(*cells))))
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _all(grid: Grid) -> range:
    return range(len(grid.fields))


def _exact(value: Value, span: bool) -> list[str]:
    if isinstance(value, Estimate):
        return [_exact(v, False)[0] for v in (value.value, value.low, value.high)]
    missing = value is None or (isinstance(value, float) and math.isnan(value))
    text = "" if missing else str(value)
    return [text, "", ""] if span else [text]


def to_markdown(grids: Sequence[Grid]) -> str:
    """Markdown tables under headings."""
    blocks = []
    for grid in grids:
        lines = [f"### {markdown(grid.title)}", ""]
        lines.append("| " + " | ".join(markdown_cell(f.name) for f in grid.fields) + " |")
        lines.append("|" + "|".join("---" if grid.is_text(i) else "---:" for i in _all(grid)) + "|")
        for row in grid.rows:
            texts = map(markdown_cell, grid.shown(row))
            cells = (
                f"**{t}**" if isinstance(c, Strong) else t for t, c in zip(texts, row, strict=True)
            )
            lines.append("| " + " | ".join(cells) + " |")
        lines += ["", *(f"- {markdown(note)}" for note in grid.notes)]
        blocks.append("\n".join(lines).rstrip() + "\n")
    return "\n".join(blocks)


def to_latex(grids: Sequence[Grid]) -> str:
    """Booktabs tables; need \\usepackage{booktabs}. Titles and notes are comments."""
    blocks = []
    for grid in grids:
        columns = "".join("l" if grid.is_text(i) else "r" for i in _all(grid))
        lines = [f"% {one_line(grid.title)}", rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
        lines += [" & ".join(latex(f.name) for f in grid.fields) + r" \\", r"\midrule"]
        for row in grid.rows:
            cells = (
                rf"\textbf{{{latex(t)}}}" if isinstance(c, Strong) else latex(t)
                for t, c in zip(grid.shown(row), row, strict=True)
            )
            lines.append(" & ".join(cells) + r" \\")
        lines += [r"\bottomrule", r"\end{tabular}", *(f"% {one_line(n)}" for n in grid.notes)]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def to_json(record: Any) -> str:
    """All numbers as they are, not rounded; null where there is none."""
    text = json.dumps(_plain(record), ensure_ascii=False, indent=1, allow_nan=False)
    return json_text(text) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    return None if isinstance(value, float) and not math.isfinite(value) else value


WRITERS: dict[str, Callable[[Sequence[Grid]], str]] = {
    "tsv": to_tsv,
    "markdown": to_markdown,
    "latex": to_latex,
}
