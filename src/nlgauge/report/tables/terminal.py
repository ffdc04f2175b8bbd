"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderableType
from rich.markup import escape
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from nlgauge.core.table import ScoreTable
from nlgauge.report.tables.escapes import printable
from nlgauge.report.tables.formats import heading, scale_note, unknown_words


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the command line, which knows that the reader has gone."""
        raise BrokenPipeError

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Show control sequences in names and texts instead of sending them to the terminal."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            if control or text == "\n":
                yield segment
            else:
                lines = map(printable, text.split("\n"))
                yield Segment("\n".join(lines), style)


def console(file: IO[str] | None = None, *, stderr: bool = False) -> Console:
    """A console that honours NO_COLOR, never breaks the lines of a file, and obeys no text."""
    made = _Console(file=file, stderr=stderr, highlight=False, soft_wrap=True)
    if not made.is_terminal:
        made.width = 1000
    return made


MOST_ACROSS = 6  # metrics side by side; more are listed one below the other


def print_scores(table: ScoreTable, width: int, out: Console | None = None) -> None:
    """Systems down and metrics across, or the other way round for many metrics; the best of each
    metric in bold; then the signatures.
    """
    out = out or console()
    heads = [f"{escape(heading(c))}\n[dim]{scale_note(c)}" for c in table.columns]
    columns = [_cells(table, column.name, width) for column in table.columns]
    grid = Table(box=SIMPLE_HEAD, pad_edge=False)
    if len(heads) <= MOST_ACROSS:
        grid.add_column("system", no_wrap=True)
        for head in heads:
            grid.add_column(head, no_wrap=True)
        for i, system in enumerate(table.systems):
            grid.add_row(Text(printable(system)), *(cells[i] for cells in columns))
    else:
        grid.add_column("metric", no_wrap=True)
        for system in table.systems:
            grid.add_column(Text(printable(system)), no_wrap=True)
        for head, cells in zip(heads, columns, strict=True):
            grid.add_row(head.replace("\n", "  "), *cells)
    out.print(grid)
    _print_notes(table, out)


def _cells(table: ScoreTable, name: str, width: int) -> list[Text]:
    """One metric's column: score, interval and p-value, each aligned over the systems."""
    scores = [table.score(system, name) for system in table.systems]
    best = table.best(name) if len(scores) > 1 else []
    numbers = _aligned(s.shown(width=width) for s in scores)
    spans = _aligned(
        f" [{s.shown(s.interval.low, width)}, {s.shown(s.interval.high, width)}]"
        if s.interval
        else ""
        for s in scores
    )
    tests = _aligned("" if s.p_value is None else f" p={s.p_value:.3f}" for s in scores)
    cells = []
    for system, score, number, span, test in zip(
        table.systems, scores, numbers, spans, tests, strict=True
    ):
        won = system in best
        cell = Text(f"{number}{' *' if won else '  '}", style="bold green" if won else "")
        cell.append(span, style="dim")
        cell.append(test, style="" if (score.p_value or 1) < 0.05 else "dim")
        cells.append(cell)
    return cells


def _aligned(texts: Iterable[str]) -> list[str]:
    listed = list(texts)
    size = max(map(len, listed))
    return [text.rjust(size) for text in listed]


def _print_notes(table: ScoreTable, out: Console) -> None:
    first = table.score(table.systems[0], table.columns[0].name)
    notes = [f"{table.segments} segments"]
    if len(table.systems) > 1:
        notes.append("* best")
    if first.interval is not None:
        notes.append(
            f"[low, high]: {first.interval.level:.0%} bootstrap interval, "
            f"{first.interval.resamples} resamples, seed {first.interval.seed}"
        )
    if table.p_values:
        notes.append(f"p: paired bootstrap against {table.systems[0]}")
    out.print(Text("; ".join(notes), style="dim"))
    for note in unknown_words(table):
        out.print(Text(note, style="dim"))
    for name, reason in table.left_out.items():
        out.print(Text(f"left out: {name}: {reason}", style="dim"))
    for column in table.columns:
        out.print(Text(column.signature, style="dim"))


def print_score_list(table: ScoreTable, width: int, out: Console | None = None) -> None:
    """Bare numbers separated by tabs, one line per system."""
    out = out or console()
    for system in table.systems:
        numbers = (table.score(system, c.name).shown(width=width) for c in table.columns)
        out.file.write("\t".join(numbers) + "\n")
