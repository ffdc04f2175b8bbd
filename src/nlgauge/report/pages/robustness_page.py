"""Make the report of `nlgauge robustness`: the card, severity, all numbers, changed texts."""

from __future__ import annotations

import math
from collections.abc import Iterator

from nlgauge.meta.stress.robustness import Robustness
from nlgauge.report.answers.metric_verdicts import robustness_answer
from nlgauge.report.figures import Figure, HeatMap, IntervalPlot
from nlgauge.report.pages.page import Section
from nlgauge.report.pages.relations import drawn
from nlgauge.report.tables.meta.meta_tables import judge_grids
from nlgauge.report.tables.meta.robustness_tables import card, details, samples
from nlgauge.report.tables.score_tables import heading

CARD = (
    "A metric passes (✓) a change if it is right about enough of the changed texts: it should "
    "fall where the meaning was broken, and stay where it was kept. Coverage is the share of texts "
    "that the change fits, touched the share of their words that it changed."
)


def robustness_sections(result: Robustness) -> list[Section]:
    """Return the card, what severity does, all numbers, and a changed text of each kind."""
    names, note = drawn([column.name for column in result.columns])
    separation = [result.separation[column.name] for column in result.columns]
    figures: list[Figure] = [*_shares(result)]
    if not any(map(math.isnan, separation)):
        figures.append(
            IntervalPlot(
                title="Broken text below kept text",
                labels=[heading(column) for column in result.columns],
                values=separation,
                axis="share of pairs",
                reference=0.5,
            )
        )
    sections = [
        *robustness_answer(result),
        Section(title="Report card", text=CARD, grids=card(result), figures=figures),
    ]
    if judged := judge_grids(result):
        sections.append(Section(title="Judges", grids=judged))
    by_severity = [found for name in names if (found := _by_severity(result, name)) is not None]
    if by_severity:
        text = f"Mean drop, as a share of the metric's range, by the share of words touched. {note}"
        sections.append(Section(title="Severity", text=text, figures=by_severity))
    return [
        *sections,
        Section(title="All numbers", grids=details(result)),
        Section(title="Changed texts", grids=[samples(result, 1)]),
    ]


def _shares(result: Robustness) -> Iterator[HeatMap]:
    for breaking, title in ((True, "Meaning broken"), (False, "Meaning kept")):
        trials = [t.perturbation for t in result.trials if t.breaking == breaking]
        own = [[result.outcomes[c.name, name] for name in trials] for c in result.columns]
        if trials:
            yield HeatMap(
                title=f"{title}: right answers (share)",
                rows=[heading(column) for column in result.columns],
                columns=trials,
                values=[[outcome.passing for outcome in row] for row in own],
                limits=(0, 1),
                marked=[[bool(o.texts) and not o.passed for o in row] for row in own],
                mark_note=f"failed: below {result.threshold:g}",
            )


def _by_severity(result: Robustness, metric: str) -> HeatMap | None:
    trials = [t for t in result.trials if len(t.severities) > 1]
    if not trials:
        return None
    severities = max((t.severities for t in trials), key=len)
    return HeatMap(
        title=f"{metric}: drop by severity",
        rows=[t.perturbation for t in trials],
        columns=[f"{severity:g}" for severity in severities],
        values=[result.outcomes[metric, t.perturbation].by_severity for t in trials],
        colours="diverging",
    )
