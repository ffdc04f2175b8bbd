"""Make the tables that `nlgauge score` prints."""

from __future__ import annotations

from typing import Any

from nlgauge.core.metric import decimals
from nlgauge.core.signature import shortened
from nlgauge.core.table import Column, ScoreTable
from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid, SignatureNote, Strong, directed

MOST_ACROSS = 6  # metrics side by side; more are listed one below the other


def score_grid(table: ScoreTable, format: str = "text", width: int = 2) -> Grid:
    """Return the scores as a grid for an output format, with `width` decimals on a scale of 100.

    Systems stand down and metrics across; on a terminal, many metrics stand down. For TSV, each
    system and metric has a row.
    """
    if format == "tsv":
        return _list(table)
    signatures = [signature_note(f"{c.name} ({scale_note(c)})", c.signature) for c in table.columns]
    if format != "text":
        system = "System" if format == "latex" else "system"
        return Grid("", *_systems_down(table, system, width), tuple(signatures))
    few = len(table.columns) <= MOST_ACROSS
    made = _systems_down(table, "system", width, " *") if few else _metrics_down(table, width)
    return Grid("", *made, (*_notes(table), *signatures))


_Parts = tuple[tuple[Field, ...], list[list[Cell]]]


def _systems_down(table: ScoreTable, system: str, width: int, mark: str = "") -> _Parts:
    scores = (Field(heading(c), note=scale_note(c), apart=True) for c in table.columns)
    columns = [_cells(table, c, width, mark) for c in table.columns]
    rows = [[name, *(cells[i] for cells in columns)] for i, name in enumerate(table.systems)]
    return (Field(system), *scores), rows


def _metrics_down(table: ScoreTable, width: int) -> _Parts:
    fields = (Field("metric"), *(Field(system, apart=True) for system in table.systems))
    rows: list[list[Cell]] = [
        [f"{heading(c)}  {scale_note(c)}", *_cells(table, c, width, " *")] for c in table.columns
    ]
    return fields, rows


def _cells(table: ScoreTable, column: Column, width: int, mark: str) -> list[Cell]:
    """Return a metric's scores; with a mark, the only one of a table is not the best."""
    best = set(table.best(column.name)) if not mark or len(table.systems) > 1 else set()
    format = number_format(column, width)
    cells: list[Cell] = []
    for system in table.systems:
        score = table.score(system, column.name)
        span = score.interval
        low, high = (None, None) if span is None else (span.low, span.high)
        cell = Estimate(score.score, low, high, score.p_value, format)
        cells.append(Strong(cell, mark) if system in best else cell)
    return cells


def part_grids(table: ScoreTable) -> list[Grid]:
    """Return what the scores of each metric are made of: precisions, penalties, counts."""
    made = []
    for column in table.columns:
        parts = {system: table.score(system, column.name).parts for system in table.systems}
        names = list(next(iter(parts.values())))
        rows: list[list[Cell]] = [
            [system, *(_part(own[name]) for name in names)] for system, own in parts.items()
        ]
        if names:
            fields = (Field("system"), *(Field(name, ".4g", number=True) for name in names))
            made.append(Grid(column.name, fields, rows))
    return made


def _part(value: Any) -> Cell:
    if isinstance(value, list | tuple):
        return " / ".join(f"{entry:.4g}" for entry in value)
    return value if isinstance(value, str | float | int) else str(value)


def _list(table: ScoreTable) -> Grid:
    rows: list[list[Cell]] = []
    for system in table.systems:
        for column in table.columns:
            score = table.score(system, column.name)
            span = score.interval
            low, high = (None, None) if span is None else (span.low, span.high)
            numbers = (score.score, low, high, score.p_value)
            rows.append([system, column.name, *numbers, score.signature])
    names = ("system", "metric", "score", "low", "high", "p_value", "signature")
    return Grid("", tuple(map(Field, names)), rows)


def _notes(table: ScoreTable) -> list[str]:
    notes = [f"{table.segments} segment{'s' if table.segments != 1 else ''}"]
    if table.apart:
        sizes = (f"{name} {len(own[0])}" for name, own in table.rows.items())
        notes = [f"each system on segments of its own: {', '.join(sizes)}"]
    if len(table.systems) > 1:
        notes.append("* best")
    notes += interval_notes(table)
    if table.p_values:
        notes.append(f"p: {table.p_test} against {table.systems[0]}")
    left_out = (f"left out: {name}: {reason}" for name, reason in table.left_out.items())
    return ["; ".join(notes), *unknown_words(table), *left_out]


def signature_note(name: str, signature: str) -> SignatureNote:
    """Return a metric's signature as a note, and in short for a terminal."""
    return SignatureNote(name, signature, shortened(signature))


def interval_notes(table: ScoreTable) -> list[str]:
    """Return a note that says how the intervals of a table were drawn, if it has any."""
    for span in table.intervals.values():
        return [
            f"[low, high]: {span.level:.0%} {span.method} interval, {span.resamples} resamples, "
            f"seed {span.seed}"
        ]
    return []


def heading(column: Column) -> str:
    """Return the name of a metric with an arrow for its direction."""
    return directed(column.name, column.metric.info.higher_is_better)


def scale_note(column: Column) -> str:
    """Return the range that the scores of a metric are printed on."""
    low, high = (bound * column.metric.info.scale for bound in column.metric.bounds)
    return f"{low:g}–{high:g}".replace("-inf", "−∞").replace("inf", "∞")


def number_format(column: Column, width: int) -> str:
    """Return the format of a metric's numbers, with as many decimals as `Score.shown` writes."""
    return f".{decimals(column.metric.info.scale, width)}f"


def unknown_words(table: ScoreTable) -> list[str]:
    """Say for each metric that asks a model what shares of words this does not know."""
    if not any(column.metric.asks_model() for column in table.columns):
        return []
    from nlgauge.core.understanding.lookup import LookupMetric

    notes = []
    for column in table.columns:
        if not isinstance(column.metric, LookupMetric) or not column.metric.asks_model():
            continue
        parts = {system: table.score(system, column.name).parts for system in table.systems}
        shares = [f"{system} {found['unknown']:.1%}" for system, found in parts.items()]
        other = column.metric.other
        shares.append(f"{other}s {parts[table.systems[0]][f'{other}_unknown']:.1%}")
        notes.append(f"unknown words, {column.name}: {', '.join(shares)}")
    return notes
