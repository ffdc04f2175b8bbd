"""Make the tables of an experiment: our figures beside the paper's."""

from __future__ import annotations

from collections.abc import Sequence

from nlgauge.experiments.experiment import ComparedTable, OurFigure, Ours
from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid


def experiment_grids(tables: Sequence[ComparedTable]) -> list[Grid]:
    """Return a grid for each table, with our columns before the paper's."""
    return [_grid(table) for table in tables]


def _grid(table: ComparedTable) -> Grid:
    names = [f"ours: {name}" for name in table.ours] + [f"paper: {name}" for name in table.paper]
    rows: list[list[Cell]] = [[row.label, *map(_cell, row.ours), *row.paper] for row in table.rows]
    fields = (Field("row"), *(Field(name, table.format) for name in names))
    return Grid(table.title, fields, rows, table.notes)


def _cell(ours: Ours) -> Cell:
    if isinstance(ours, OurFigure):
        return Estimate(ours.value, ours.low, ours.high)
    return ours
