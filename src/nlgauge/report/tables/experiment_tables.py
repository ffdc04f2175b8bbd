"""Make the tables of an experiment: our figures beside the paper's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nlgauge.experiments.experiment import ComparedTable, OurFigure, Ours
from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid

EXAMPLES = (
    "ours: small examples, which show the design; nothing follows from their figures, and "
    "--data KEY=FILE takes your own"
)


def experiment_grids(tables: Sequence[ComparedTable], *, examples: bool = False) -> list[Grid]:
    """Return a grid for each table, with our columns before the paper's. What is true of several
    is said once, below the last; `examples` says that our figures are of the examples.
    """
    made = [_grid(table) for table in tables]
    last = {note: i for i, grid in enumerate(made) for note in grid.notes}
    made = [replace(g, notes=tuple(n for n in g.notes if last[n] == i)) for i, g in enumerate(made)]
    if examples:
        made[-1] = replace(made[-1], notes=(*made[-1].notes, EXAMPLES))
    return made


def _grid(table: ComparedTable) -> Grid:
    names = [f"ours: {name}" for name in table.ours] + [f"paper: {name}" for name in table.paper]
    rows: list[list[Cell]] = [[row.label, *map(_cell, row.ours), *row.paper] for row in table.rows]
    fields = (Field(table.label), *(Field(name, table.format) for name in names))
    return Grid(table.title, fields, rows, table.notes)


def _cell(ours: Ours) -> Cell:
    if isinstance(ours, OurFigure):
        return Estimate(ours.value, ours.low, ours.high)
    return ours
