"""Write tables of results, whatever their rows are, to the terminal, as TSV, Markdown and LaTeX.

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

from nlgauge.core.facts.defaults import ALPHA
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
    """An estimate is a number with its interval and p-value, as far as these are known."""

    value: float
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    format: str = ""  # how the number is written, if not as its field says


Value = str | float | int | bool | Estimate | None


@dataclass(frozen=True)
class Strong:
    """A strong cell stands out: it is the best of its column, or significant.

    A mark stands behind it if a note explains one.
    """

    value: Value
    mark: str = ""


Cell = Value | Strong


@dataclass(frozen=True)
class Field:
    """A field is a column: it has a heading and says how its cells are written."""

    name: str
    format: str = ".3f"  # of numbers, as for `format`
    lines: tuple[str, ...] = ()  # the heading for a terminal, where one line would be too wide
    note: str = ""  # what a terminal shows below the heading, such as a range
    # Whether numbers, intervals and p-values stand each below its like on a terminal. The number
    # alone is strong then, and LaTeX gives half the interval's width behind ±.
    apart: bool = False


@dataclass(frozen=True)
class SignatureNote:
    """This note is the signature of a metric; Markdown names the metric, too."""

    name: str
    signature: str

    def __str__(self) -> str:
        return self.signature


@dataclass(frozen=True)
class Grid:
    """A grid is a table with a title, which may be empty, and notes below it.

    None and NaN are shown as a dash: there is no value.
    """

    title: str
    fields: tuple[Field, ...]
    rows: Sequence[Sequence[Cell]]
    notes: tuple[str | SignatureNote, ...] = ()

    def shown(self, row: Sequence[Cell]) -> list[str]:
        """Return the texts of a row's cells, with room for the marks of others in their column."""
        return [self._shown(cell, i) for i, cell in enumerate(row)]

    def _shown(self, cell: Cell, column: int) -> str:
        text = show(cell, self.fields[column].format)
        return text + (mark_of(cell) or " " * self._marks[column])

    @cached_property
    def _marks(self) -> list[int]:
        """Return the length of the longest mark of each column."""
        columns = range(len(self.fields))
        return [max((len(mark_of(row[i])) for row in self.rows), default=0) for i in columns]

    def is_text(self, column: int) -> bool:
        """Return whether a column holds words, and is thus set flush left."""
        return any(isinstance(bare(row[column]), str) for row in self.rows)

    def on_terminal(self, column: int) -> list[Text]:
        """Return the cells of a column, with their styles, for a terminal."""
        field, cells = self.fields[column], [row[column] for row in self.rows]
        if field.apart:
            return _apart(cells, field, self._marks[column])
        return [
            Text(
                printable(self._shown(cell, column)),
                style="bold" if isinstance(cell, Strong) else "",
            )
            for cell in cells
        ]


def directed(name: str, higher_is_better: bool) -> str:
    """Return a metric's name with an arrow that says which way is better."""
    return f"{name} {'↑' if higher_is_better else '↓'}"


def mark_of(cell: Cell) -> str:
    """Return the mark behind a cell's value, or nothing."""
    return cell.mark if isinstance(cell, Strong) else ""


def bare(cell: Cell) -> Value:
    """Return the value of a cell without its emphasis."""
    return cell.value if isinstance(cell, Strong) else cell


def show(cell: Cell, format: str) -> str:
    """Return the text of a cell as people read it."""
    value = bare(cell)
    if isinstance(value, Estimate):
        format = value.format or format
        text = show(value.value, format)
        if value.low is not None:
            text += f" {_span(value, format)}"
        return text if value.p_value is None else f"{text} (p = {value.p_value:.4f})"
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:{format}}" if isinstance(value, float) else str(value)


def _span(estimate: Estimate, format: str) -> str:
    return f"[{show(estimate.low, format)}, {show(estimate.high, format)}]"


def _number(cell: Cell, field: Field) -> str:
    """Return the number of a cell without what is known about it."""
    value = bare(cell)
    if isinstance(value, Estimate):
        return show(value.value, value.format or field.format)
    return show(value, field.format)


def print_grids(grids: Iterable[Grid], out: Console) -> None:
    """Print grids to a terminal, or to a file as a terminal would show them."""
    for grid in grids:
        title = Text(grid.title) if grid.title else None
        table = Table(box=SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left")
        for i, field in enumerate(grid.fields):
            head = Text("\n".join(map(printable, field.lines or (field.name,))))
            if field.note:
                head.append(f"\n{printable(field.note)}", style="dim")
            left = field.apart or grid.is_text(i)
            table.add_column(head, justify="left" if left else "right", no_wrap=True)
        for row in zip(*map(grid.on_terminal, _all(grid)), strict=True):
            table.add_row(*row)
        out.print(table)
        for note in grid.notes:
            out.print(Text(str(note), style="dim"))


def _apart(cells: Sequence[Cell], field: Field, marks: int) -> list[Text]:
    """Set number, interval and p-value of each cell below their like."""
    values = [bare(cell) for cell in cells]
    estimates = [value if isinstance(value, Estimate) else Estimate(0) for value in values]
    numbers = _aligned(_number(cell, field) for cell in cells)
    spans = _aligned(
        "" if e.low is None else f" {_span(e, e.format or field.format)}" for e in estimates
    )
    tests = _aligned("" if e.p_value is None else f" p={e.p_value:.3f}" for e in estimates)
    made = []
    for i, (cell, estimate) in enumerate(zip(cells, estimates, strict=True)):
        text = Text(printable(numbers[i] + mark_of(cell).ljust(marks)))
        text.style = "bold green" if isinstance(cell, Strong) else ""
        text.append(spans[i], style="dim")
        significant = estimate.p_value is not None and estimate.p_value < ALPHA
        text.append(tests[i], style="" if significant else "dim")
        made.append(text)
    return made


def _aligned(texts: Iterable[str]) -> list[str]:
    listed = list(texts)
    size = max(map(len, listed), default=0)
    return [text.rjust(size) for text in listed]


def to_bare(grids: Sequence[Grid]) -> str:
    """Return the numbers alone as people read them, separated by tabs, one line for each row."""
    lines = (
        [
            _number(cell, field)
            for cell, field in zip(row, grid.fields, strict=True)
            if not isinstance(bare(cell), str)
        ]
        for grid in grids
        for row in grid.rows
    )
    return "".join("\t".join(line) + "\n" for line in lines)


def to_tsv(grids: Sequence[Grid]) -> str:
    """Return tables as TSV with numbers in full, and the bounds of intervals in their own columns.

    Several tables are divided by blank lines, each under a line `# title`.
    """
    blocks = []
    for grid in grids:
        lines = [f"# {one_line(grid.title)}"] if len(grids) > 1 else []
        spans = [any(_has_span(row[i]) for row in grid.rows) for i in _all(grid)]
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


def _has_span(cell: Cell) -> bool:
    value = bare(cell)
    return isinstance(value, Estimate) and value.low is not None


def _exact(value: Value, span: bool) -> list[str]:
    if isinstance(value, Estimate):
        bounds = (value.value, value.low, value.high)
        return [_exact(v, False)[0] for v in (bounds if span else bounds[:1])]
    missing = value is None or (isinstance(value, float) and math.isnan(value))
    text = "" if missing else str(value)
    return [text, "", ""] if span else [text]


def to_markdown(grids: Sequence[Grid]) -> str:
    """Return tables as Markdown, under their titles as headings."""
    blocks = []
    for grid in grids:
        lines = [f"### {markdown(grid.title)}", ""] if grid.title else []
        lines.append("| " + " | ".join(markdown_cell(f.name) for f in grid.fields) + " |")
        lines.append("|" + "|".join("---" if grid.is_text(i) else "---:" for i in _all(grid)) + "|")
        for row in grid.rows:
            texts = map(markdown_cell, grid.shown(row))
            cells = (
                f"**{t}**" if isinstance(c, Strong) else t for t, c in zip(texts, row, strict=True)
            )
            lines.append("| " + " | ".join(cells) + " |")
        lines += ["", *(f"- {_markdown_note(note)}" for note in grid.notes)]
        blocks.append("\n".join(lines).rstrip() + "\n")
    return "\n".join(blocks)


def _markdown_note(note: str | SignatureNote) -> str:
    if isinstance(note, SignatureNote):
        return f"{markdown(note.name)}: `{one_line(note.signature)}`"
    return markdown(note)


def to_latex(grids: Sequence[Grid]) -> str:
    """Return tables for LaTeX, which need \\usepackage{booktabs}; titles and notes are comments."""
    blocks = []
    for grid in grids:
        columns = "".join("l" if grid.is_text(i) else "r" for i in _all(grid))
        lines = [f"% {one_line(grid.title)}"] if grid.title else []
        lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
        lines += [" & ".join(latex(f.name) for f in grid.fields) + r" \\", r"\midrule"]
        for row in grid.rows:
            cells = map(_latex_cell, row, grid.fields, grid.shown(row))
            lines.append(" & ".join(cells) + r" \\")
        lines += [r"\bottomrule", r"\end{tabular}", *(f"% {one_line(str(n))}" for n in grid.notes)]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _latex_cell(cell: Cell, field: Field, shown: str) -> str:
    value = bare(cell)
    text = latex(_number(cell, field) + mark_of(cell) if field.apart else shown)
    if isinstance(cell, Strong):
        text = rf"\textbf{{{text}}}"
    if not field.apart or not isinstance(value, Estimate):
        return text
    if value.low is not None and value.high is not None:
        half = (value.high - value.low) / 2
        text += rf" $\pm$ {show(half, value.format or field.format)}"
    return text if value.p_value is None else rf"{text} ($p={value.p_value:.4f}$)"


def to_json(record: Any) -> str:
    """Return a record as JSON, with numbers that are not rounded, and null where there is none."""
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
    "bare": to_bare,
}
