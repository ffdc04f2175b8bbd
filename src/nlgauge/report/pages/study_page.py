"""Make the sections of a study's report: what is decided, agreement over time, annotators."""

from __future__ import annotations

from nlgauge.human.live_summary import LiveSummary
from nlgauge.human.stopping.decisions import Decisions
from nlgauge.report.figures import Figure, IntervalPlot
from nlgauge.report.pages.page import Section
from nlgauge.report.tables.human.study_tables import activity_grid, decisions_grid, over_time_grid


def decisions_section(found: Decisions) -> Section:
    """Return the section that says which systems are better, with their differences drawn."""
    return Section(
        title="Who is better",
        text="A pair with a filled dot is decided; a hollow one takes more judgements.",
        grids=[decisions_grid(found)],
        figures=[differences_figure(found)],
    )


def differences_figure(found: Decisions) -> IntervalPlot:
    """Draw the differences of all pairs; those that are still open have hollow dots."""
    return IntervalPlot(
        title="Differences (valid at every look)",
        labels=[f"{pair.first} − {pair.second}" for pair in found.pairs],
        values=[pair.difference for pair in found.pairs],
        lows=[pair.low for pair in found.pairs],
        highs=[pair.high for pair in found.pairs],
        axis="share of wins − ½" if found.compared else "difference",
        format="+.3f",
        hollow=[pair.verdict == "open" for pair in found.pairs],
        reference=0.0,
    )


def live_sections(summary: LiveSummary) -> list[Section]:
    """Return the sections of agreement over time and of the annotators."""
    figures: list[Figure] = []
    if summary.over_time:
        figures = [
            IntervalPlot(
                title=f"Krippendorff α ({summary.level})",
                labels=[f"after {at.judgements}" for at in summary.over_time],
                values=[at.alpha for at in summary.over_time],
                axis="α",
                format=".3f",
                reference=0.0,
            )
        ]
    return [
        Section(title="Agreement over time", grids=[over_time_grid(summary)], figures=figures),
        Section(title="Annotators", grids=[activity_grid(summary)]),
    ]
