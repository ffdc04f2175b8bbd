"""Show agreement between annotators as tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlgauge.human.annotator_agreement import Agreement, CriterionAgreement
from nlgauge.report.figures import Figure, HeatMap, IntervalPlot
from nlgauge.report.pages.page import Section
from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid, Strong

_MANY_ANNOTATORS = 40  # in a picture of their pairs
_MANY_ROWS = 45  # pairs of ten annotators; more than that is for JSON


def grids(result: Agreement) -> list[Grid]:
    """Return an overview, then the annotators of each criterion and their pairs."""
    return [_measures(result), *(grid for c in result.criteria for grid in _people(c))]


def _people(criterion: CriterionAgreement) -> list[Grid]:
    made = [_annotators(criterion)] if criterion.each else []
    return [*made, _pairs(criterion)] if 1 < len(criterion.pairs) <= _MANY_ROWS else made


def agreement_sections(result: Agreement) -> list[Section]:
    """Return the overview, then each criterion with its measures and its annotators."""
    found = [
        Section(title=_title(criterion), grids=_people(criterion), figures=_figures(criterion))
        for criterion in result.criteria
    ]
    return [Section(title="Agreement", grids=[_measures(result)]), *found]


def _figures(criterion: CriterionAgreement) -> list[Figure]:
    measures, annotators = criterion.measures, criterion.annotators
    figures: list[Figure] = [
        IntervalPlot(
            title=f"Agreement: {_title(criterion)}",
            labels=[m.name for m in measures],
            values=[m.value for m in measures],
            lows=[m.low for m in measures],
            highs=[m.high for m in measures],
            axis="agreement",
            format=".3f",
            groups=[int(m.name == criterion.headline) for m in measures],
            reference=0.0,
        )
    ]
    if len(criterion.pairs) > 1 and len(annotators) <= _MANY_ANNOTATORS:
        place = {name: i for i, name in enumerate(annotators)}
        numbers = criterion.kind == "ratings"
        kappas = np.full((len(place), len(place)), np.nan)
        for pair in criterion.pairs:
            i, j = place[pair.first], place[pair.second]
            kappas[i, j] = kappas[j, i] = pair.quadratic if numbers else pair.kappa
        title = f"Cohen κ{' (quadratic)' if numbers else ''} of pairs: {_title(criterion)}"
        figures.append(HeatMap.of_correlations(title, annotators, kappas))
    return figures


def _title(criterion: CriterionAgreement) -> str:
    return criterion.criterion or "judgements"


def _measures(result: Agreement) -> Grid:
    rows: list[Sequence[Cell]] = []
    notes = []
    for criterion in result.criteria:
        name = _title(criterion)
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
    return Grid(f"Annotators: {_title(criterion)}", tuple(fields), rows)


def _pairs(criterion: CriterionAgreement) -> Grid:
    weighted = criterion.kind == "ratings"
    fields = [Field("annotator"), Field("other"), Field("outputs"), Field("κ")]
    fields += [Field("κ linear"), Field("κ quadratic")] if weighted else []
    rows: list[Sequence[Cell]] = []
    for p in criterion.pairs:
        more = (p.linear, p.quadratic) if weighted else ()
        rows.append((p.first, p.second, p.outputs, p.kappa, *more))
    return Grid(f"Pairs of annotators: {_title(criterion)}", tuple(fields), rows)
