"""The report of `nlgauge score`: scores with intervals, their spread, how the metrics relate, and
the segments.
"""

from __future__ import annotations

import numpy as np

from nlgauge.data import Suite
from nlgauge.kernels import Floats
from nlgauge.report.browser import SegmentBrowser
from nlgauge.report.figures import Dendrogram, Distribution, Figure, HeatMap, IntervalPlot
from nlgauge.report.formats import heading, scale_note
from nlgauge.report.grid import Cell, Estimate, Field, Grid, Strong
from nlgauge.report.page import Section
from nlgauge.report.terminal import MOST_ACROSS
from nlgauge.table import Column, ScoreTable


def score_sections(table: ScoreTable, suite: Suite, width: int = 2) -> list[Section]:
    """All that can be shown of a table and the texts it is about."""
    sections = [
        Section(
            title="Scores",
            grids=[_scores(table, width), *_p_values(table)],
            figures=[_intervals(table, c, width) for c in table.columns] if _many(table) else [],
        ),
        Section(
            title="Segment scores",
            text="The spread of the scores of single segments; the line reaches from the lower to "
            "the upper quartile, the dot is the median.",
            figures=[_distribution(table, column) for column in table.columns],
        ),
    ]
    if len(table.columns) > 1 and table.segments > 2:
        sections.append(_relations(table))
    browser = SegmentBrowser.of_suite(suite, table)
    sections.append(Section(title="Segments", browser=browser))
    return [*sections, Section(title="Metrics", grids=_metrics(table))]


def _many(table: ScoreTable) -> bool:
    return len(table.systems) > 1 or bool(table.intervals)


def _scores(table: ScoreTable, width: int) -> Grid:
    """Systems down and metrics across; many metrics the other way round."""
    if len(table.columns) <= MOST_ACROSS:
        formats = (Field(heading(c), _format(table, c, width)) for c in table.columns)
        fields = (Field("system"), *formats)
        rows = [[s, *(_cell(table, s, c) for c in table.columns)] for s in table.systems]
    else:
        # Their scales differ, so that digits are counted, not decimals.
        fields = (Field("metric"), *(Field(system, f"#.{width + 2}g") for system in table.systems))
        rows = [[heading(c), *(_cell(table, s, c) for s in table.systems)] for c in table.columns]
    notes = [f"{table.segments} segments"]
    if len(table.systems) > 1:
        notes[0] += "; the best of each metric is bold"
    if table.intervals:
        span = next(iter(table.intervals.values()))
        notes.append(
            f"[low, high]: {span.level:.0%} bootstrap interval, {span.resamples} resamples, seed "
            f"{span.seed}"
        )
    return Grid("Scores", fields, rows, tuple(notes))


def _cell(table: ScoreTable, system: str, column: Column) -> Cell:
    score = table.score(system, column.name)
    span = score.interval
    cell = score.score if span is None else Estimate(score.score, span.low, span.high)
    best = len(table.systems) > 1 and system in table.best(column.name)
    return Strong(cell) if best else cell


def _format(table: ScoreTable, column: Column, width: int) -> str:
    """As `Score.shown` writes numbers."""
    _, _, decimals = table.score(table.systems[0], column.name).shown(0.0, width).partition(".")
    return f".{len(decimals)}f"


def _p_values(table: ScoreTable) -> list[Grid]:
    if not table.p_values:
        return []
    rows = []
    for system in table.systems[1:]:
        found = (table.p_values[system, column.name] for column in table.columns)
        rows.append([system, *(Strong(p) if p < 0.05 else p for p in found)])
    fields = (Field("system"), *(Field(column.name, ".4f") for column in table.columns))
    note = "p-values by paired bootstrap; those below 0.05 are bold"
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
        format=_format(table, column, width),
    )


def _distribution(table: ScoreTable, column: Column) -> Figure:
    return Distribution(
        title=f"{heading(column)}, segments",
        labels=table.systems,
        samples=[table.segment_scores(system, column.name) for system in table.systems],
        axis=column.name,
    )


def _relations(table: ScoreTable) -> Section:
    names = [column.name for column in table.columns]
    r = _correlations(table)
    figures: list[Figure] = []
    if len(names) > 2 and np.isfinite(r).all():
        from scipy.cluster.hierarchy import linkage
        from scipy.spatial.distance import squareform

        distance = 1 - np.abs(r)
        np.fill_diagonal(distance, 0)
        tree = Dendrogram(
            title="Metrics that agree are joined first",
            labels=names,
            merges=linkage(squareform(distance, checks=False), "average"),
            axis="1 − |r|, average linkage",
        )
        figures.append(tree)
        # What the tree joins stands side by side.
        order = tree.order()
        names, r = [names[i] for i in order], r[np.ix_(order, order)]
    title = "Pearson's r of segment scores"
    figures.insert(0, HeatMap.of_correlations(title, names, r))
    text = "Over the outputs of all systems. Metrics with a low correlation tell different things."
    return Section(title="Agreement of the metrics", text=text, figures=figures)


def _correlations(table: ScoreTable) -> Floats:
    """Pearson's r between metrics over all outputs; NaN if one of them is constant."""
    from nlgauge.stats.correlation import pearson

    columns = [
        np.concatenate([table.segment_scores(system, column.name) for system in table.systems])
        for column in table.columns
    ]
    return np.array([[pearson(a, b) for b in columns] for a in columns])
