"""Show on one screen which metrics agree best with people, and what may mislead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nlgauge.meta.correlation.between_metrics import Significance
from nlgauge.meta.correlation.meta_result import MetaResult
from nlgauge.meta.correlation.metric_agreement import MetricAgreement
from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid, Strong, show
from nlgauge.report.tables.meta import meta_tables as tables

WIDTH = 98  # characters of a table
MOST_COLUMNS = 9
MOST_ROWS = 12
WITH_INTERVALS = 3  # columns, up to which intervals are shown
MORE = "intervals, tests of every two metrics, outliers: --all; everything: -f json, --report FILE"
IN_PYTHON = "tests of every two metrics, outliers and more: to_pandas(), to_dict(), report(path)"


@dataclass(frozen=True)
class SummaryColumn:
    """A column is a part and criterion, or the mean of a criterion over all parts."""

    heading: str
    found: dict[str, MetricAgreement]  # by metric
    test: Significance | None

    def cell(self, metric: str, intervals: bool) -> Cell:
        """Return a value; those that no test tells from the best stand out, or else the best."""
        agreement = self.found[metric]
        value = tables.said(agreement)
        if np.isnan(value):
            return None
        shown = Estimate(value, agreement.low, agreement.high)
        cell = shown if intervals and not np.isnan(agreement.low) else value
        if self.test is not None and metric in self.test.metrics:
            first = self.test.clusters[self.test.metrics.index(metric)] == 1
            return Strong(cell, "*") if first else cell
        best = np.nanmax([tables.said(a) for a in self.found.values()])
        return Strong(cell) if value == best else cell


def summary(result: MetaResult, more: str = IN_PYTHON) -> list[Grid]:
    """Return one table for each level and coefficient, and what was asked for beside them; `more`
    says where the rest is.
    """
    made = [_table(result, *kind) for kind in tables.kinds(result)]
    if result.partitions:
        made.append(tables.partition_grid(result))
    made += tables.judge_grids(result)
    last = made[-1]
    return [*made[:-1], replace(last, notes=(*last.notes, more))]


def _table(result: MetaResult, level: str, coefficient: str) -> Grid:
    chosen = [a for a in result.agreements if (a.level, a.coefficient) == (level, coefficient)]
    columns, left_out = _columns(result, level, coefficient, chosen)
    names = tables.ranked(result.metrics, [column.found for column in columns])
    intervals = len(columns) <= WITH_INTERVALS
    rows: list[list[Cell]] = [
        [name, *(column.cell(name, intervals) for column in columns)] for name in names[:MOST_ROWS]
    ]
    notes = [f"{tables.described(level, coefficient)}; {_sizes(chosen)}"]
    if any(isinstance(cell, Strong) and cell.mark for row in rows for cell in row):
        test = next(column.test for column in columns if column.test is not None)
        notes.append(f"*: not told from the best ({test.test}, {test.alpha:g}, not corrected)")
    if intervals and any(not np.isnan(a.low) for a in chosen):
        notes.append(tables.interval_note(result, short=True))
    notes += tables.warnings(result, chosen)
    if len(names) > MOST_ROWS:
        left_out.append(f"{len(names) - MOST_ROWS} metrics that agree less")
    if left_out:
        notes.append(f"not shown without --all: {', '.join(left_out)}")
    heads = [column.heading for column in columns]
    folded = zip(heads, _folded(heads, rows), strict=True)
    fields = (Field("metric"), *(Field(name, lines=lines) for name, lines in folded))
    return Grid(f"{coefficient}, {level}", fields, rows, tuple(notes))


def _columns(
    result: MetaResult, level: str, coefficient: str, chosen: list[MetricAgreement]
) -> tuple[list[SummaryColumn], list[str]]:
    """Return the columns that fit, and what others there are."""
    tests = {
        (t.part, t.criterion): t
        for t in result.significance
        if (t.level, t.coefficient) == (level, coefficient)
    }
    by_key: dict[tuple[str, str], dict[str, MetricAgreement]] = {}
    for a in chosen:
        by_key.setdefault((a.part, a.criterion), {})[a.metric] = a
    if len(by_key) <= MOST_COLUMNS:
        columns = [
            SummaryColumn(tables.heading(result, *key), found, tests.get(key))
            for key, found in by_key.items()
        ]
        return columns, []
    parts = len({part for part, _ in by_key})
    criteria = list(dict.fromkeys(criterion for _, criterion in by_key))
    columns = [
        SummaryColumn(
            f"{criterion}, mean" if parts > 1 else criterion,
            _mean([found for key, found in by_key.items() if key[1] == criterion]),
            None if parts > 1 else tests.get((result.parts[0], criterion)),
        )
        for criterion in criteria[:MOST_COLUMNS]
    ]
    left_out = [f"each of {parts} parts"] if parts > 1 else []
    more = len(criteria) - MOST_COLUMNS
    return columns, [*left_out, f"{more} criteria"] if more > 0 else left_out


def _mean(parts: Sequence[dict[str, MetricAgreement]]) -> dict[str, MetricAgreement]:
    """Return the mean of each metric over parts, as an agreement without an interval."""
    nothing = float("nan")
    return {
        name: replace(
            a,
            value=tables.mean(tables.said(own[name]) for own in parts),
            too_few=False,
            low=nothing,
            high=nothing,
        )
        for name, a in parts[0].items()
    }


def _sizes(chosen: Sequence[MetricAgreement]) -> str:
    found = f"n = {tables.span(a.points for a in chosen)}"
    grouped = any(a.groups > 1 for a in chosen)
    return f"{found} in groups: {tables.span(a.groups for a in chosen)}" if grouped else found


def _folded(headings: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[tuple[str, ...]]:
    """Return the headings on as many lines as the table needs to be narrow enough."""
    cells = [max(len(show(row[i + 1], ".3f")) for row in rows) for i in range(len(headings))]
    names = max(len(str(row[0])) for row in rows)
    found: list[tuple[str, ...]] = []
    for limit in range(max(map(len, headings)), 5, -1):
        found = [_fold(heading, limit) for heading in headings]
        widths = (max(cell, *map(len, head)) for cell, head in zip(cells, found, strict=True))
        if names + 2 + sum(width + 3 for width in widths) <= WIDTH:
            break
    return found or [(heading,) for heading in headings]


def _fold(heading: str, limit: int) -> tuple[str, ...]:
    """Break a heading after blanks, underscores and the like; halve words that are longer still."""
    lines = [""]
    for word in re.findall(r"[^\s_/·,-]*[\s_/·,-]*", heading):
        if lines[-1] and len(lines[-1]) + len(word.rstrip()) > limit:
            lines.append("")
        lines[-1:] = _halved(lines[-1] + word, limit)
    return tuple(line.strip() for line in lines if line.strip())


def _halved(word: str, limit: int) -> list[str]:
    if len(word.rstrip()) <= limit:
        return [word]
    middle = (len(word.rstrip()) + 1) // 2 - 1
    return [*_halved(f"{word[:middle]}-", limit), *_halved(word[middle:], limit)]
