"""Make the report of `nlgauge score`: scores, their spread, how metrics relate, the segments."""

from __future__ import annotations

import numpy as np

from nlgauge.core.facts.defaults import ALPHA, CONFIDENCE, RESAMPLES, SEED
from nlgauge.core.outputs import OutputScores
from nlgauge.core.table import Column, ScoreTable
from nlgauge.data.corpus import Suite
from nlgauge.report.answers.verdicts import score_answer
from nlgauge.report.figures import Distribution, Figure, IntervalPlot
from nlgauge.report.judges.conduct_tables import judged_sections
from nlgauge.report.pages.browser import SegmentBrowser
from nlgauge.report.pages.metric_lines import metric_lines
from nlgauge.report.pages.page import Section
from nlgauge.report.pages.relations import drawn, relations
from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid, Strong
from nlgauge.report.tables.score_tables import (
    MOST_ACROSS,
    heading,
    interval_notes,
    number_format,
    scale_note,
    unknown_words,
)
from nlgauge.stats.intervals import Intervals

SPREAD = (
    "The spread of the scores of single segments; the line reaches from the lower to the upper "
    "quartile, the dot is the median."
)


def score_sections(table: ScoreTable, suite: Suite | None, width: int = 2) -> list[Section]:
    """Return the sections of a page about a table of scores, and its texts if they are known."""
    names, note = drawn([column.name for column in table.columns])
    columns = [table.column(name) for name in names]
    sections = [
        *score_answer(table, width),
        Section(
            title="Scores",
            text=note if _many(table) else "",
            grids=[_scores(table, width), *_differences(table, width)],
            lines=metric_lines(table.columns),
            figures=[_intervals(table, c, width) for c in columns] if _many(table) else [],
        ),
        Section(
            title="Segment scores",
            text=f"{SPREAD} {note}".rstrip(),
            figures=[distribution(table, column) for column in columns],
        ),
        *relations(OutputScores.of_table(table)),
        *judged_sections(table, table.suite or suite),
    ]
    if suite is not None:
        browser = SegmentBrowser.of_suite(table.suite or suite, table)
        sections.append(Section(title="Segments", browser=browser))
    return [*sections, Section(title="Metrics", grids=_metrics(table))]


def _many(table: ScoreTable) -> bool:
    return len(table.systems) > 1 or bool(table.intervals)


def _scores(table: ScoreTable, width: int) -> Grid:
    """Return systems down and metrics across; many metrics the other way round."""
    if len(table.columns) <= MOST_ACROSS:
        formats = (Field(heading(c), number_format(c, width)) for c in table.columns)
        fields = (Field("system", coloured=tuple(table.systems)), *formats)
        columns = [_cells(table, column) for column in table.columns]
        rows = [list(row) for row in zip(table.systems, *columns, strict=True)]
    else:
        # Their scales differ, so that digits are counted, not decimals.
        fields = (Field("metric"), *(Field(system, f"#.{width + 2}g") for system in table.systems))
        rows = [[heading(column), *_cells(table, column)] for column in table.columns]
    notes = [f"{table.segments} segment{'' if table.segments == 1 else 's'}"]
    if len(table.systems) > 1:
        notes[0] += "; the best of each metric is bold"
    notes += interval_notes(table)
    return Grid("Scores", fields, rows, (*notes, *unknown_words(table)))


def _cells(table: ScoreTable, column: Column) -> list[Cell]:
    """Return the scores of all systems, of which the best are found once."""
    best = set(table.best(column.name)) if len(table.systems) > 1 else set()
    cells: list[Cell] = []
    for system in table.systems:
        score = table.score(system, column.name)
        span = score.interval
        cell = score.score if span is None else Estimate(score.score, span.low, span.high)
        cells.append(Strong(cell) if system in best else cell)
    return cells


def _differences(table: ScoreTable, width: int) -> list[Grid]:
    """Return how far systems are from the first, with intervals, if they were tested against it."""
    if not table.p_values:
        return []
    span = next(iter(table.intervals.values()), None)
    resamples, seed = (span.resamples, span.seed) if span else (RESAMPLES, SEED)
    drawn = Intervals(table, "percentile", resamples=resamples, level=CONFIDENCE, seed=seed)
    first, scores, rows = table.systems[0], table.printed(), []
    for system in table.systems[1:]:
        cells: list[Cell] = [system]
        for column in table.columns:
            found = drawn.difference(system, first, column.name)
            away = scores[system, column.name] - scores[first, column.name]
            low, high = (None, None) if found is None else (found.low, found.high)
            cell = Estimate(away, low, high, table.p_values[system, column.name])
            cells.append(Strong(cell) if table.p_values[system, column.name] < ALPHA else cell)
        rows.append(cells)
    fields = [Field(heading(c), "+" + number_format(c, width)) for c in table.columns]
    notes = (
        f"system minus {first}; [low, high]: {CONFIDENCE:.0%} bootstrap interval of the difference",
        f"p by {table.p_test}; differences with p below {ALPHA} are bold",
    )
    named = Field("system", coloured=tuple(table.systems))
    return [Grid(f"Difference to {first}", (named, *fields), rows, notes)]


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
        groups=range(len(table.systems)),
    )


def distribution(table: ScoreTable, column: Column) -> Figure:
    """Draw the spread of the segment scores of every system."""
    return Distribution(
        title=f"{heading(column)}, segments",
        labels=table.systems,
        samples=[table.segment_scores(system, column.name) for system in table.systems],
        axis=column.name,
    )
