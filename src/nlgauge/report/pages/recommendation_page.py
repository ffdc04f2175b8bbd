"""Make the report of `nlgauge recommend`: the answers, what was measured, the literature."""

from __future__ import annotations

from nlgauge.meta.choose.recommend import Recommendation
from nlgauge.report.answers.metric_verdicts import recommendation_answer
from nlgauge.report.figures import IntervalPlot
from nlgauge.report.pages.page import Section
from nlgauge.report.tables.meta.recommendation_tables import (
    answers_grid,
    candidates_grid,
    measured_grid,
)


def recommendation_sections(found: Recommendation) -> list[Section]:
    """Return the answers first; what was measured is also drawn."""
    sections = [
        *recommendation_answer(found),
        Section(title="Answers", grids=[answers_grid(found)]),
    ]
    if found.measured:
        plot = IntervalPlot(
            title=f"Agreement with {found.criterion}, {found.level} level",
            labels=[m.name for m in found.measured],
            values=[m.value for m in found.measured],
            lows=[m.low for m in found.measured],
            highs=[m.high for m in found.measured],
            axis=found.correlation,
            format=".3f",
            hollow=[not m.near_best for m in found.measured],
            reference=0.0,
        )
        text = "A metric with a filled dot may be as good as the best."
        sections.append(
            Section(title="Measured", text=text, grids=[measured_grid(found)], figures=[plot])
        )
    return [*sections, Section(title="Literature", grids=[candidates_grid(found)])]
