"""Tables of how metrics agree with people."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from nlgauge.meta.agreement import Agreement
from nlgauge.meta.between import Significance
from nlgauge.meta.correlate import MetaResult
from nlgauge.meta.settings import PREFERENCES
from nlgauge.report.grid import Cell, Estimate, Field, Grid, Strong
from nlgauge.stats.multiplicity import experiment_wise_error

MOST_ACROSS = 12  # metrics whose p-values are printed; of more, only how many each one beats
NAMES = {
    "segment": "all outputs together",
    "segment-by-item": "among the outputs for each item, mean over items",
    "segment-by-system": "among the outputs of each system, mean over systems",
    "system": "systems",
}
PAIRS = "pairs of outputs for the same item of which people prefer one"
Key = tuple[str, str]  # part and criterion


def grids(result: MetaResult) -> list[Grid]:
    """Agreement, tests between metrics, outliers and partitions."""
    return [*agreement_grids(result), *significance_grids(result), *check_grids(result)]


def agreement_grids(result: MetaResult) -> list[Grid]:
    """One for each level and coefficient."""
    return [_agreement(result, *kind) for kind in kinds(result)]


def significance_grids(result: MetaResult) -> list[Grid]:
    """What is true of all tests is said once, below the last."""
    tests = [_significance(result, tested) for tested in result.significance]
    last = {test.notes: i for i, test in enumerate(tests)}
    return [t if last[t.notes] == i else replace(t, notes=()) for i, t in enumerate(tests)]


def check_grids(result: MetaResult) -> list[Grid]:
    """Outliers and partitions, where there are any."""
    made = [_outliers(result)] if result.outliers else []
    return [*made, _partitions(result)] if result.partitions else made


def kinds(result: MetaResult) -> list[tuple[str, str]]:
    """Levels and coefficients."""
    return list(dict.fromkeys((a.level, a.coefficient) for a in result.agreements))


def heading(result: MetaResult, part: str, criterion: str) -> str:
    """The part and the criterion, of which only what there is more than one of."""
    parts = [part] if result.split is not None else []
    return " · ".join([*parts, criterion] if len(result.criteria) > 1 or not parts else parts)


def _agreement(result: MetaResult, level: str, coefficient: str) -> Grid:
    chosen = [a for a in result.agreements if (a.level, a.coefficient) == (level, coefficient)]
    keys = list(dict.fromkeys((a.part, a.criterion) for a in chosen))
    cells = {(a.metric, (a.part, a.criterion)): a for a in chosen}
    means = {m: _mean(cells[m, key].value for key in keys) for m in result.metrics}
    names = sorted(result.metrics, key=lambda m: -np.nan_to_num(means[m], nan=-2))
    best = {key: np.nanmax([cells[m, key].value for m in names] + [-np.inf]) for key in keys}
    fields = [Field("metric"), *(Field(heading(result, *key)) for key in keys)]
    averaged = len(keys) > 1 and len(result.criteria) == 1
    if averaged:
        fields.append(Field("mean"))
    rows: list[list[Cell]] = []
    for name in names:
        row: list[Cell] = [name]
        for key in keys:
            cell = _estimate(cells[name, key])
            row.append(Strong(cell) if cells[name, key].value == best[key] else cell)
        rows.append([*row, means[name]] if averaged else row)
    what = PAIRS if coefficient == PREFERENCES else NAMES[level]
    notes = [f"{what}; {_sizes(result, chosen, keys)}"]
    if any(not np.isnan(a.low) for a in chosen):
        settings = result.settings
        over = settings.over or "items and, where there are several, systems"
        how = "by jackknife"
        if settings.interval == "percentile":
            how = f"by bootstrap, {settings.resamples} resamples, seed {settings.seed}"
        notes.append(f"[low, high]: {settings.confidence:.0%} interval over {over}, {how}")
    for key in keys:
        spans = {m: cells[m, key].epsilon for m in names}
        listing = ", ".join(f"{m} {e:.4g}" for m, e in spans.items() if e is not None)
        if listing:
            notes.append(f"{heading(result, *key)}: ties up to a difference of: {listing}")
    return Grid(f"{coefficient}, {level}", tuple(fields), rows, tuple(notes))


def _mean(values: Iterable[float]) -> float:
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


def _estimate(a: Agreement) -> float | Estimate:
    return a.value if np.isnan(a.low) else Estimate(a.value, a.low, a.high)


def _sizes(result: MetaResult, chosen: list[Agreement], keys: list[Key]) -> str:
    """How many points, and groups if there are several."""

    def texts(number: Callable[[Agreement], int]) -> str:
        found = {
            key: max(number(a) for a in chosen if (a.part, a.criterion) == key) for key in keys
        }
        if len(set(found.values())) == 1:
            return str(next(iter(found.values())))
        return ", ".join(f"{heading(result, *key)} {n}" for key, n in found.items())

    text = f"n = {texts(lambda a: a.points)}"
    return f"{text} in groups: {texts(lambda a: a.groups)}" if chosen[0].groups > 1 else text


def _significance(result: MetaResult, tested: Significance) -> Grid:
    title = f"{tested.coefficient}, {tested.level}"
    where = heading(result, tested.part, tested.criterion)
    p = tested.p_values
    small = len(tested.metrics) <= MOST_ACROSS
    fields = [Field("metric"), Field("cluster"), Field(tested.coefficient)]
    fields += [Field(name) for name in tested.metrics] if small else [Field("better than")]
    rows: list[list[Cell]] = []
    for i, name in enumerate(tested.metrics):
        row: list[Cell] = [name, tested.clusters[i], float(tested.values[i])]
        if small:
            row += [_p_value(float(value), tested.alpha) for value in p[i]]
        else:
            row.append(int((p[i] < tested.alpha).sum()))
        rows.append(row)
    pairs = len(p) * (len(p) - 1) // 2
    error = experiment_wise_error(tested.alpha, pairs)
    shown = "p that the row is not better than the column" if small else "metrics beaten"
    note = f"{tested.test}: {shown}, at {tested.alpha:g}"
    if pairs > 1:
        note += (
            f"; {pairs} comparisons, not corrected: the chance of at least one false alarm is up "
            f"to {error:.2f}"
        )
    return Grid(f"Is the difference real? {where}: {title}", tuple(fields), rows, (note,))


def _p_value(p: float, alpha: float) -> Cell:
    return Strong(p) if p < alpha else p


def _outliers(result: MetaResult) -> Grid:
    fields = (
        Field("where"),
        Field("metric"),
        Field("with outliers"),
        Field("without"),
        Field("outlying systems"),
    )
    rows: list[list[Cell]] = [
        [
            heading(result, o.part, o.criterion),
            o.metric,
            o.with_outliers,
            o.without_outliers,
            ", ".join(o.systems),
        ]
        for o in result.outliers
    ]
    note = "Pearson; systems whose human score is more than 2.5 robust deviations from the median"
    return Grid("Outlying systems", fields, rows, (note,))


def _partitions(result: MetaResult) -> Grid:
    names = ("where", "metric", "size", "groups", "Pearson", "representative")
    rows: list[list[Cell]] = [
        [
            heading(result, p.part, p.criterion),
            p.metric,
            p.size,
            p.points,
            Estimate(p.mean, *p.span(result.settings.confidence)),
            p.representative,
        ]
        for p in result.partitions
    ]
    note = (
        f"averages of random groups; mean and {result.settings.confidence:.0%} range over "
        f"{result.settings.partition_draws} partitions, seed {result.settings.seed}"
    )
    return Grid("Partition smoothing", tuple(map(Field, names)), rows, (note,))
