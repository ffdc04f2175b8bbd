"""Make the report of `nlgauge meta`: agreement with intervals, tests, points, and the outputs."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from nlgauge.core.outputs import Outputs
from nlgauge.meta.correlation.between_metrics import Significance
from nlgauge.meta.correlation.meta_result import MetaResult, Scatter
from nlgauge.meta.correlation.metric_agreement import FEWEST
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.report.answers.metric_verdicts import meta_answer
from nlgauge.report.figures import Figure, HeatMap, IntervalPlot, ScatterPlot
from nlgauge.report.judges.marked_outputs import people_marks
from nlgauge.report.pages.browser import SegmentBrowser
from nlgauge.report.pages.metric_lines import metric_lines
from nlgauge.report.pages.page import Section
from nlgauge.report.pages.relations import relations
from nlgauge.report.tables.meta import meta_tables as tables

MOST_PLOTS = 24  # of points
MOST_FIGURES = 40  # of a kind: every level, part and criterion has its own
TESTED = (
    "A small p means that the metric of the row agrees better with people than that of the column. "
    "The best metric stands first; those of one cluster are not told apart."
)
LEVELS = {"system": "systems"}  # otherwise points are outputs


def meta_sections(
    result: MetaResult, paired: PairedScores, outputs: Outputs | None = None
) -> list[Section]:
    """Return all of a result, what it was made from, and the texts if there are any."""
    forest, tests = _forest(result), [_matrix(result, t) for t in result.significance]
    sections = [
        *meta_answer(result),
        Section(
            title="Agreement with people",
            text=_first(len(forest)),
            lines=metric_lines(paired.scores.columns),
            grids=tables.agreement_grids(result),
            figures=forest[:MOST_FIGURES],
        ),
    ]
    if tests:
        text = f"{TESTED} {_first(len(tests))}"
        grids = tables.significance_grids(result)
        sections.append(
            Section(
                title="Is the difference real?",
                text=text,
                grids=grids,
                figures=tests[:MOST_FIGURES],
            )
        )
    if any(map(_enough, result.scatter)):
        columns = paired.scores.columns
        lower = [c.name for c in columns if not c.metric.info.higher_is_better]
        sections.append(_points(result, lower))
    if checks := tables.check_grids(result):
        sections.append(Section(title="What may mislead", grids=checks))
    sections += relations(paired.scores)
    if outputs is not None:
        human = {name: paired.human(name) for name in result.criteria}
        rated = {name: values for name, values in human.items() if not np.isnan(values).all()}
        marks = people_marks(outputs, paired.judgements)
        browser = SegmentBrowser.of_outputs(outputs, paired.scores, rated, marks)
        sections.append(Section(title="Segments", browser=browser))
    return sections


def _first(figures: int) -> str:
    return f"The first {MOST_FIGURES} of {figures} are drawn." if figures > MOST_FIGURES else ""


def _forest(result: MetaResult) -> list[Figure]:
    figures: list[Figure] = []
    for level, coefficient in tables.kinds(result):
        chosen = [
            a
            for a in result.agreements
            if (a.level, a.coefficient) == (level, coefficient) and not a.too_few
        ]
        for part, criterion in dict.fromkeys((a.part, a.criterion) for a in chosen):
            own = [a for a in chosen if (a.part, a.criterion) == (part, criterion)]
            own.sort(key=lambda a: -np.nan_to_num(a.value, nan=-np.inf))
            figures.append(
                IntervalPlot(
                    title=f"{tables.heading(result, part, criterion)}: {level}",
                    labels=[a.metric for a in own],
                    values=[a.value for a in own],
                    lows=[a.low for a in own],
                    highs=[a.high for a in own],
                    axis=coefficient,
                    format=".3f",
                )
            )
    return figures


def _matrix(result: MetaResult, tested: Significance) -> HeatMap:
    where = tables.heading(result, tested.part, tested.criterion)
    return HeatMap.of_p_values(
        f"{where}: {tested.coefficient}, {tested.level}",
        tested.metrics,
        tested.metrics,
        tested.p_values,
        alpha=tested.alpha,
    )


def _points(result: MetaResult, lower: Collection[str]) -> Section:
    """Draw the metrics that agree best at each level, part and criterion."""
    # Levels of outputs differ in how points are grouped, which a plot does not show.
    clouds = {
        (p.part, p.criterion, p.level == "system"): p for p in filter(_enough, result.scatter)
    }
    shown = list(clouds.values())[:MOST_PLOTS]
    each = max(1, MOST_PLOTS // len(shown))
    figures = [
        _scatter(result, points, metric, lower)
        for points in shown
        for metric in _best(result, points)[:each]
    ]
    which = "every metric" if each >= len(result.metrics) else f"the {each} best metrics"
    text = (
        f"The scores of {which} against the ratings, better ones to the right: the axis is turned "
        "where lower scores are better. r is that of all points together."
    )
    if len(shown) < len(clouds):
        text += f" The first {len(shown)} of {len(clouds)} parts and criteria are drawn."
    return Section(title="Metrics and people", text=text, figures=figures)


def _enough(points: Scatter) -> bool:
    """Return whether points can show more than a line through two of them."""
    return int(np.isfinite(points.human).sum()) >= FEWEST


def _best(result: MetaResult, points: Scatter) -> list[str]:
    keys = (points.part, points.criterion, points.level)
    coefficient = result.settings.coefficients[0]
    values = {
        a.metric: a.value
        for a in result.agreements
        if (a.part, a.criterion, a.level) == keys and a.coefficient == coefficient
    }
    known = {name: np.nan_to_num(values.get(name, np.nan), nan=-np.inf) for name in points.metrics}
    return sorted(points.metrics, key=lambda name: -known[name])


def _scatter(
    result: MetaResult, points: Scatter, metric: str, lower: Collection[str]
) -> ScatterPlot:
    where = tables.heading(result, points.part, points.criterion)
    pairs = zip(points.systems, points.items, strict=True)
    labels = [f"{system} {item}" for system, item in pairs] if points.items else points.systems
    return ScatterPlot(
        title=f"{metric} × {where}: {LEVELS.get(points.level, 'outputs')}",
        x_label=metric,
        y_label=points.criterion,
        x=points.x[points.metrics.index(metric)],
        y=points.human,
        labels=labels,
        turned=metric in lower,
    )
