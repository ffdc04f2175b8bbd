"""Write tables of results, whatever their rows are, as TSV, Markdown and LaTeX.

A command builds its grids once; every output format, and the HTML report, prints those.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from nlgauge.core.facts.defaults import ALPHA
from nlgauge.report.tables.escapes import (
    json_text,
    latex,
    latex_number,
    markdown,
    markdown_cell,
    one_line,
    tsv_cell,
)


class Estimate(NamedTuple):
    """An estimate is a number with its interval and p-value, as far as these are known."""

    value: float
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    format: str = ""  # how the number is written, if not as its field says


Plain = str | float | int | bool | None
Value = Plain | Estimate


class Strong(NamedTuple):
    """A strong cell stands out: it is the best of its column, or significant.

    A mark stands behind it if a note explains one.
    """

    value: Value
    mark: str = ""


Cell = Value | Strong


P_VALUE = "p"  # the format of p-values: none is 0


class Field(NamedTuple):
    """A field is a column: it has a heading and says how its cells are written."""

    name: str
    format: str = ".3f"  # of numbers, as for `format`
    lines: tuple[str, ...] = ()  # the heading for a terminal, where one line would be too wide
    note: str = ""  # what a terminal shows below the heading, such as a range
    # Whether numbers, intervals and p-values stand each below its like on a terminal. The number
    # alone is strong then, and LaTeX gives half the interval's width behind ±.
    apart: bool = False
    number: bool = False  # set flush right, also where cells are words
    coloured: tuple[str, ...] = ()  # names that figures have colours for, in the colours' order


class SignatureNote(NamedTuple):
    """This note is the signature of a metric; Markdown names the metric, too.

    A terminal shows the `short` one, without options that are as by default.
    """

    name: str
    signature: str
    short: str = ""

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
        return [self.shown_cell(cell, i) for i, cell in enumerate(row)]

    def shown_cell(self, cell: Cell, column: int) -> str:
        """Return the text of a cell, with room for the marks of others in its column."""
        text = show(cell, self.fields[column].format)
        return text + (mark_of(cell) or " " * self.marks[column])

    @cached_property
    def marks(self) -> list[int]:
        """Return the length of the longest mark of each column."""
        columns = range(len(self.fields))
        return [max((len(mark_of(row[i])) for row in self.rows), default=0) for i in columns]

    def is_text(self, column: int) -> bool:
        """Return whether a column holds words, and is thus set flush left."""
        words = any(isinstance(bare(row[column]), str) for row in self.rows)
        return words and not self.fields[column].number


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
            text += f" {span_of(value, format)}"
        return text if value.p_value is None else f"{text} (p = {value.p_value:.4f})"
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if format == P_VALUE and isinstance(value, float):
        return "<0.001" if value < 0.001 else f"{value:.3f}"
    return f"{value:{format}}" if isinstance(value, float) else str(value)


def span_of(estimate: Estimate, format: str) -> str:
    """Return the interval of an estimate as people read it."""
    return f"[{show(estimate.low, format)}, {show(estimate.high, format)}]"


def number_of(cell: Cell, field: Field) -> str:
    """Return the number of a cell without what is known about it."""
    value = bare(cell)
    if isinstance(value, Estimate):
        return show(value.value, value.format or field.format)
    return show(value, field.format)


def to_bare(grids: Sequence[Grid]) -> str:
    """Return the numbers alone as people read them, separated by tabs, one line for each row."""
    lines = (
        [
            number_of(cell, field)
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
        names, rows = spread(grid)
        lines.append("\t".join(map(tsv_cell, names)))
        lines += ("\t".join(tsv_cell("" if v is None else str(v)) for v in row) for row in rows)
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def spread(grid: Grid) -> tuple[list[str], list[list[Plain]]]:
    """Return names and rows of plain values, the bounds of intervals in columns of their own."""
    spans = [any(_has_span(row[i]) for row in grid.rows) for i in _all(grid)]
    names = ([f.name, f"{f.name}_low", f"{f.name}_high"] for f in grid.fields)
    header = [n if span else n[:1] for n, span in zip(names, spans, strict=True)]
    rows = [
        list(chain(*(_exact(bare(c), span) for c, span in zip(row, spans, strict=True))))
        for row in grid.rows
    ]
    return list(chain(*header)), rows


def _all(grid: Grid) -> range:
    return range(len(grid.fields))


def _has_span(cell: Cell) -> bool:
    value = bare(cell)
    return isinstance(value, Estimate) and value.low is not None


def _exact(value: Value, span: bool) -> list[Plain]:
    if isinstance(value, Estimate):
        bounds = (value.value, value.low, value.high)
        return [_exact(v, False)[0] for v in (bounds if span else bounds[:1])]
    missing = value is None or (isinstance(value, float) and math.isnan(value))
    known = None if missing else value
    return [known, None, None] if span else [known]


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


def to_latex(grids: Sequence[Grid], *, caption: str = "", label: str = "") -> str:
    """Return tables for LaTeX, which need \\usepackage{booktabs}; titles and notes are comments.

    With a caption or a label, each stands in a table environment of its own.
    """
    blocks = []
    for number, grid in enumerate(grids, 1):
        columns = "".join("l" if grid.is_text(i) else "r" for i in _all(grid))
        lines = [f"% {one_line(grid.title)}"] if grid.title else []
        lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
        lines += [" & ".join(latex(f.name) for f in grid.fields) + r" \\", r"\midrule"]
        for row in grid.rows:
            cells = map(_latex_cell, row, grid.fields, grid.shown(row))
            lines.append(" & ".join(cells) + r" \\")
        lines += [r"\bottomrule", r"\end{tabular}", *(f"% {one_line(str(n))}" for n in grid.notes)]
        if caption or label:
            lines = [r"\begin{table}", r"\centering", *lines]
            lines += [rf"\caption{{{latex(caption)}}}"] if caption else []
            ending = f"-{number}" if len(grids) > 1 else ""
            lines += [rf"\label{{{label}{ending}}}"] if label else []
            lines.append(r"\end{table}")
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _latex_cell(cell: Cell, field: Field, shown: str) -> str:
    value = bare(cell)
    escaped = latex if isinstance(value, str) else latex_number
    text = escaped(number_of(cell, field) + mark_of(cell) if field.apart else shown)
    if isinstance(cell, Strong):
        text = rf"\textbf{{{text}}}"
    if not field.apart or not isinstance(value, Estimate):
        return text
    if value.low is not None and value.high is not None:
        half = (value.high - value.low) / 2
        text += rf" $\pm$ {show(half, value.format or field.format)}"
    significant = value.p_value is not None and value.p_value < ALPHA
    return rf"{text}$^{{\dagger}}$" if significant else text


def to_json(record: Any) -> str:
    """Return a record as JSON, with numbers that are not rounded, and null where there is none."""
    import json  # late: most results are tables

    text = json.dumps(plain(record), ensure_ascii=False, indent=1, allow_nan=False)
    return json_text(text) + "\n"


def plain(value: Any) -> Any:
    """Return a result as JSON has it: mappings, lists and numbers, null for what is not finite."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if is_dataclass(value) and not isinstance(value, type):
        shown = (f.name for f in fields(value) if f.metadata.get("shown", True))
        return {name: plain(getattr(value, name)) for name in shown}
    return None if isinstance(value, float) and not math.isfinite(value) else value


WRITERS: dict[str, Callable[[Sequence[Grid]], str]] = {
    "tsv": to_tsv,
    "markdown": to_markdown,
    "latex": to_latex,
    "bare": to_bare,
}
