"""Make the tables of agreement between annotators."""

from __future__ import annotations

from collections.abc import Sequence

from nlgauge.human.annotator_agreement import Agreement, CriterionAgreement
from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid, Strong

_MANY_ROWS = 45  # pairs of ten annotators; more than that is for JSON


def grids(result: Agreement) -> list[Grid]:
    """Return an overview, then the annotators of each criterion and their pairs."""
    return [measures_grid(result), *(grid for c in result.criteria for grid in people_grids(c))]


def people_grids(criterion: CriterionAgreement) -> list[Grid]:
    """Return the annotators of a criterion and, if they are few, their pairs."""
    made = [_annotators(criterion)] if criterion.each else []
    return [*made, _pairs(criterion)] if 1 < len(criterion.pairs) <= _MANY_ROWS else made


def criterion_title(criterion: CriterionAgreement) -> str:
    """Return the criterion's name as a title."""
    return criterion.criterion or "judgements"


def measures_grid(result: Agreement) -> Grid:
    """Return an overview of all measures of agreement, criterion by criterion."""
    rows: list[Sequence[Cell]] = []
    notes = []
    for criterion in result.criteria:
        name = criterion_title(criterion)
        for measure in criterion.measures:
            value = Estimate(measure.value, measure.low, measure.high)
            chosen = measure.name == criterion.headline
            rows.append((name, measure.name, Strong(value) if chosen else value, measure.outputs))
        notes.append(
            f"{name}: {criterion.ratings} {criterion.kind} by {len(criterion.annotators)} "
            f"annotators; read {criterion.headline}: {criterion.why}"
        )
        notes += [f"{name}: {note}" for note in criterion.notes]
    if result.left_out:
        notes.append(f"no output has two annotators: {', '.join(result.left_out)}")
    notes.append(
        f"intervals: {result.confidence:.0%}, {result.resamples} resamples of items, "
        f"seed {result.seed}; Cohen: mean over pairs of annotators"
    )
    fields = (Field("criterion"), Field("measure"), Field("agreement"), Field("outputs"))
    return Grid("Agreement", fields, rows, tuple(notes))


def _annotators(criterion: CriterionAgreement) -> Grid:
    numbers = criterion.kind == "ratings"
    fields = [Field("annotator"), Field("outputs")]
    if numbers:
        fields += [Field("mean", ".2f"), Field("deviation", ".2f"), Field("r with others")]
    fields.append(Field("κ with others"))
    rows: list[Sequence[Cell]] = []
    for a in criterion.each:
        scale = (a.mean, a.deviation, a.correlation) if numbers else ()
        rows.append((a.annotator, a.outputs, *scale, a.kappa))
    return Grid(f"Annotators: {criterion_title(criterion)}", tuple(fields), rows)


def _pairs(criterion: CriterionAgreement) -> Grid:
    weighted = criterion.kind == "ratings"
    fields = [Field("annotator"), Field("other"), Field("outputs"), Field("κ")]
    fields += [Field("κ linear"), Field("κ quadratic")] if weighted else []
    rows: list[Sequence[Cell]] = []
    for p in criterion.pairs:
        more = (p.linear, p.quadratic) if weighted else ()
        rows.append((p.first, p.second, p.outputs, p.kappa, *more))
    return Grid(f"Pairs of annotators: {criterion_title(criterion)}", tuple(fields), rows)
