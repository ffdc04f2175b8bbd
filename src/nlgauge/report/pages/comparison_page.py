"""Make the report of `nlgauge compare`: scores, differences, and which of them are real."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nlgauge.core.metric import Interval
from nlgauge.core.outputs import OutputScores
from nlgauge.core.table import ScoreTable
from nlgauge.data.corpus import Suite
from nlgauge.report.answers.verdicts import comparison_answer
from nlgauge.report.figures import HeatMap, IntervalPlot
from nlgauge.report.judges.conduct_tables import judged_sections
from nlgauge.report.pages.browser import SegmentBrowser
from nlgauge.report.pages.metric_lines import metric_lines
from nlgauge.report.pages.page import Section
from nlgauge.report.pages.relations import drawn, relations
from nlgauge.report.pages.score_page import SPREAD, distribution
from nlgauge.report.tables import comparison_tables as tables
from nlgauge.run.comparison import Comparison

MOST_DIFFERENCES = 60  # in a figure
FEWEST_MAPPED = 4  # systems; the p-values of fewer are seen at once in the table of differences


def comparison_sections(
    result: Comparison, table: ScoreTable, suite: Suite | None = None
) -> list[Section]:
    """Return all of a comparison, the scores it is about, and the texts if there are any."""
    names, note = drawn(result.metrics)
    rankings, variances = list(tables.ranking_grids(result)), list(tables.variance_grids(result))
    sections = [
        *comparison_answer(result),
        Section(
            title="Scores",
            text=note,
            lines=metric_lines(table.columns),
            grids=[tables.scores_grid(result)],
            figures=[_scores(result, metric) for metric in names],
        ),
        Section(
            title="Differences",
            text=_said(result) + (f" {note}" if note else ""),
            grids=list(tables.difference_grids(result)),
            figures=[_differences(result, metric) for metric in names],
        ),
    ]
    if len(result.systems) > 2:
        kind = "p" if result.correction == "none" else "Corrected p"
        mapped = len(result.systems) >= FEWEST_MAPPED
        sections.append(
            Section(
                title="Significance",
                text=f"{kind} of every comparison. {note}" if mapped else "",
                grids=rankings,
                figures=[_p_values(result, metric) for metric in names] if mapped else [],
            )
        )
    if variances:
        sections.append(Section(title="Analysis of variance", grids=variances))
    spread = [distribution(table, table.column(name)) for name in names]
    sections.append(Section(title="Segment scores", text=f"{SPREAD} {note}", figures=spread))
    sections += relations(OutputScores.of_table(table))
    sections += judged_sections(table, suite)
    if suite is not None:
        browser = SegmentBrowser.of_suite(table.suite or suite, table)  # as it was scored
        sections.append(Section(title="Segments", browser=browser))
    return sections


def _scores(result: Comparison, metric: str) -> IntervalPlot:
    found = {s.system: s for s in result.scores if s.metric == metric}
    ranked = [r.systems for r in result.rankings if r.metric == metric]
    systems = ranked[0] if ranked else result.systems
    lows, highs = _ends([found[system].interval for system in systems])
    return IntervalPlot(
        title=tables.heading(result, metric),
        labels=systems,
        values=[found[system].score for system in systems],
        lows=lows,
        highs=highs,
        axis=metric,
        format=tables.format_of(result, metric),
        groups=[result.systems.index(system) for system in systems],
    )


def _said(result: Comparison) -> str:
    said = "A filled dot is a significant difference, a hollow one may be chance."
    comparisons = len(result.differences) // len(result.metrics)
    if comparisons > MOST_DIFFERENCES:
        said += f" The {MOST_DIFFERENCES} largest of {comparisons} differences are drawn."
    return said


def _differences(result: Comparison, metric: str) -> IntervalPlot:
    found = [d for d in result.differences if d.metric == metric]
    if len(found) > MOST_DIFFERENCES:
        order = sorted(range(len(found)), key=lambda i: -abs(np.nan_to_num(found[i].difference)))
        found = [found[i] for i in sorted(order[:MOST_DIFFERENCES])]
    lows, highs = _ends([d.interval for d in found])
    return IntervalPlot(
        title=f"Differences by {tables.heading(result, metric)}",
        labels=[f"{d.system} − {d.other}" for d in found],
        values=[d.difference for d in found],
        lows=lows,
        highs=highs,
        axis=metric,
        format="+" + tables.format_of(result, metric),
        hollow=[not d.significant for d in found],
        reference=0.0,
    )


def _ends(intervals: list[Interval | None]) -> tuple[list[float], list[float]]:
    pairs = [(np.nan, np.nan) if i is None else (i.low, i.high) for i in intervals]
    return [low for low, _ in pairs], [high for _, high in pairs]


def _p_values(result: Comparison, metric: str) -> HeatMap:
    p, systems = result.p_values(metric), result.systems
    title = f"p-values, {tables.heading(result, metric)}"
    made = HeatMap.of_p_values(title, systems, systems, p, alpha=result.alpha)
    return replace(made, marked=p <= result.alpha, mark_note=f"p ≤ {result.alpha:g}")
