"""Tables for the terminal."""

from __future__ import annotations

from typing import IO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from nlgauge.report.formats import heading, scale_note
from nlgauge.table import ScoreTable


def console(file: IO[str] | None = None) -> Console:
    """A console that honours NO_COLOR and never breaks the lines of a file."""
    made = Console(file=file, highlight=False, soft_wrap=True)
    if not made.is_terminal:
        made.width = 1000
    return made


def print_scores(table: ScoreTable, width: int, out: Console | None = None) -> None:
    """Systems down, metrics across, the best of each in bold; then the signatures."""
    out = out or console()
    grid = Table(box=SIMPLE_HEAD, pad_edge=False)
    grid.add_column("system", no_wrap=True)
    for column in table.columns:
        grid.add_column(f"{escape(heading(column))}\n[dim]{scale_note(column)}", justify="right")
    for system in table.systems:
        cells = [Text(system)]
        for column in table.columns:
            score = table.score(system, column.name)
            best = len(table.systems) > 1 and system in table.best(column.name)
            text = Text(f"{score.score:.{width}f}", style="bold green" if best else "")
            text.append(" *" if best else "  ", style="bold green")
            if score.interval is not None:
                low, high = score.interval.low, score.interval.high
                text.append(f" [{low:.{width}f}, {high:.{width}f}]", style="dim")
            if score.p_value is not None:
                text.append(f" p={score.p_value:.3f}", style="" if score.p_value < 0.05 else "dim")
            cells.append(text)
        grid.add_row(*cells)
    out.print(grid)
    _print_notes(table, out)


def _print_notes(table: ScoreTable, out: Console) -> None:
    first = table.score(table.systems[0], table.columns[0].name)
    notes = [f"{len(table.segment_ids)} segments"]
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
    for column in table.columns:
        out.print(Text(column.signature, style="dim"))


def print_score_list(table: ScoreTable, width: int, out: Console | None = None) -> None:
    """Bare numbers, one line per system."""
    out = out or console()
    for system in table.systems:
        numbers = (f"{table.score(system, c.name).score:.{width}f}" for c in table.columns)
        out.print("\t".join(numbers))
