"""Make the report of `nlgauge score`: scores, their spread, how metrics relate, the segments."""

from __future__ import annotations

import numpy as np

from nlgauge.core.facts.defaults import ALPHA
from nlgauge.core.outputs import OutputScores
from nlgauge.core.table import Column, ScoreTable
from nlgauge.data.corpus import Suite
from nlgauge.report.figures import Distribution, Figure, IntervalPlot
from nlgauge.report.pages.browser import SegmentBrowser
from nlgauge.report.pages.page import Section
from nlgauge.report.pages.relations import drawn, relations
from nlgauge.report.pages.verdicts import score_answer
from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid, Strong
from nlgauge.report.tables.score_tables import (
    MOST_ACROSS,
    heading,
    interval_notes,
    number_format,
    scale_note,
    unknown_words,
)

SPREAD = (
    "The spread of the scores of single segments; the line reaches from the lower to the upper "
    "quartile, the dot is the median."
)


def score_sections(table: ScoreTable, suite: Suite | None, width: int = 2) -> list[Section]:
    """Return the sections of a page about a table of scores, and its texts if they are known."""
    names, note = drawn([column.name for column in table.columns])
    columns = [table.column(name) for name in names]
    sections = [
        *score_answer(table),
        Section(
            title="Scores",
            text=note if _many(table) else "",
            grids=[_scores(table, width), *_p_values(table)],
            figures=[_intervals(table, c, width) for c in columns] if _many(table) else [],
        ),
        Section(
            title="Segment scores",
            text=f"{SPREAD} {note}".rstrip(),
            figures=[distribution(table, column) for column in columns],
        ),
        *relations(OutputScores.of_table(table)),
    ]
    if suite is not None:
        browser = SegmentBrowser.of_suite(suite, table)
        sections.append(Section(title="Segments", browser=browser))
    return [*sections, Section(title="Metrics", grids=_metrics(table))]


def _many(table: ScoreTable) -> bool:
    return len(table.systems) > 1 or bool(table.intervals)


def _scores(table: ScoreTable, width: int) -> Grid:
    """Return systems down and metrics across; many metrics the other way round."""
    if len(table.columns) <= MOST_ACROSS:
        formats = (Field(heading(c), number_format(c, width)) for c in table.columns)
        fields = (Field("system"), *formats)
        rows = [[s, *(_cell(table, s, c) for c in table.columns)] for s in table.systems]
    else:
        # Their scales differ, so that digits are counted, not decimals.
        fields = (Field("metric"), *(Field(system, f"#.{width + 2}g") for system in table.systems))
        rows = [[heading(c), *(_cell(table, s, c) for s in table.systems)] for c in table.columns]
    notes = [f"{table.segments} segments"]
    if len(table.systems) > 1:
        notes[0] += "; the best of each metric is bold"
    notes += interval_notes(table)
    return Grid("Scores", fields, rows, (*notes, *unknown_words(table)))


def _cell(table: ScoreTable, system: str, column: Column) -> Cell:
    score = table.score(system, column.name)
    span = score.interval
    cell = score.score if span is None else Estimate(score.score, span.low, span.high)
    best = len(table.systems) > 1 and system in table.best(column.name)
    return Strong(cell) if best else cell


def _p_values(table: ScoreTable) -> list[Grid]:
    if not table.p_values:
        return []
    rows = []
    for system in table.systems[1:]:
        found = (table.p_values[system, column.name] for column in table.columns)
        rows.append([system, *(Strong(p) if p < ALPHA else p for p in found)])
    fields = (Field("system"), *(Field(column.name, ".4f") for column in table.columns))
    note = f"p-values by {table.p_test}; those below {ALPHA} are bold"
    return [Grid(f"Difference to {table.systems[0]}", fields, rows, (note,))]


def _metrics(table: ScoreTable) -> list[Grid]:
    rows = [
        [
            c.name,
            scale_note(c),
            "higher" if c.metric.info.higher_is_better else "lower",
            c.signature,
        ]
        for c in table.columns
    ]
    fields = (Field("metric"), Field("range"), Field("better"), Field("signature"))
    grids = [Grid("Metrics", fields, rows)]
    if table.left_out:
        left_out = [[name, reason] for name, reason in table.left_out.items()]
        grids.append(Grid("Left out", (Field("metric"), Field("reason")), left_out))
    return grids


def _intervals(table: ScoreTable, column: Column, width: int) -> Figure:
    scores = [table.score(system, column.name) for system in table.systems]
    spans = [score.interval for score in scores]
    return IntervalPlot(
        title=heading(column),
        labels=table.systems,
        values=[score.score for score in scores],
        lows=[np.nan if span is None else span.low for span in spans],
        highs=[np.nan if span is None else span.high for span in spans],
        axis=column.name,
        format=number_format(column, width),
    )


def distribution(table: ScoreTable, column: Column) -> Figure:
    """Draw the spread of the segment scores of every system."""
    return Distribution(
        title=f"{heading(column)}, segments",
        labels=table.systems,
        samples=[table.segment_scores(system, column.name) for system in table.systems],
        axis=column.name,
    )
