"""Make one table of plain numbers of each kind of result, for data frames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nlgauge.core.metric import Interval
from nlgauge.core.table import ScoreTable
from nlgauge.explain.explanation import Explanation
from nlgauge.human.annotator_agreement import Agreement
from nlgauge.meta.correlation.meta_result import MetaResult
from nlgauge.meta.stress.robustness import Robustness
from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid
from nlgauge.run.comparison import Comparison


def score_data(table: ScoreTable) -> Grid:
    """Return a row for each system and a column for each metric."""
    rows: list[list[Cell]] = []
    for system in table.systems:
        scores = [table.score(system, column.name) for column in table.columns]
        rows.append([system, *(_estimate(s.score, s.interval) for s in scores)])
    return _grid(["system", *(column.name for column in table.columns)], rows)


def segment_data(table: ScoreTable) -> Grid:
    """Return a row for each system and segment, and a column for each metric."""
    rows: list[list[Cell]] = []
    for system in table.systems:
        columns = [table.segment_scores(system, c.name).tolist() for c in table.columns]
        rows += [
            [system, name, *scores]
            for name, *scores in zip(table.segment_ids, *columns, strict=True)
        ]
    return _grid(["system", "id", *(column.name for column in table.columns)], rows)


def comparison_data(result: Comparison) -> Grid:
    """Return a row for each pair of systems and metric."""
    names = "metric system against difference p corrected_p significant better".split()
    return _grid(
        names,
        [
            [
                *(d.metric, d.system, d.other, _estimate(d.difference, d.interval)),
                *(d.p_value, d.adjusted, d.significant, d.better),
            ]
            for d in result.differences
        ],
    )


def meta_data(result: MetaResult) -> Grid:
    """Return a row for each metric, criterion, level, coefficient and part."""
    names = "part criterion level coefficient metric agreement points too_few".split()
    return _grid(
        names,
        [
            [
                *(a.part, a.criterion, a.level, a.coefficient, a.metric),
                *(Estimate(a.value, a.low, a.high), a.points, a.too_few),
            ]
            for a in result.agreements
        ],
    )


def agreement_data(result: Agreement) -> Grid:
    """Return a row for each measure of each criterion."""
    names = "criterion measure agreement outputs annotators headline".split()
    return _grid(
        names,
        [
            [
                *(c.criterion, m.name, Estimate(m.value, m.low, m.high)),
                *(m.outputs, len(c.annotators), m.name == c.headline),
            ]
            for c in result.criteria
            for m in c.measures
        ],
    )


def robustness_data(result: Robustness) -> Grid:
    """Return a row for each metric and perturbation."""
    names = "metric perturbation breaking texts change drop size ranked passing passed".split()
    return _grid(
        names,
        [
            [
                *(o.metric, o.perturbation, o.breaking, o.texts, o.change),
                *(o.drop, o.size, o.ranked, o.passing, o.passed),
            ]
            for o in result.outcomes.values()
        ],
    )


def explanation_data(explanations: Iterable[Explanation]) -> Grid:
    """Return a row for each explanation, with its score and what the metric compared."""
    names = "output metric score compared_with signature".split()
    return _grid(
        names,
        [
            [e.of, e.name, e.score.score, e.against.rpartition("against ")[2], e.score.signature]
            for e in explanations
        ],
    )


def _estimate(value: float, interval: Interval | None) -> Cell:
    return value if interval is None else Estimate(value, interval.low, interval.high)


def _grid(names: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Grid:
    return Grid("", tuple(map(Field, names)), rows)
