"""Make the tables of how metrics agree with people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from nlgauge.meta.correlation.between_metrics import Significance
from nlgauge.meta.correlation.meta_result import MetaResult
from nlgauge.meta.correlation.metric_agreement import FEWEST, MetricAgreement
from nlgauge.meta.correlation.outliers import CUT, FEWEST_OTHERS
from nlgauge.meta.correlation.settings import PREFERENCES, SOFT, MetaSettings
from nlgauge.meta.stress.robustness import Robustness
from nlgauge.report.judges.conduct_tables import conduct_grids
from nlgauge.report.tables.grid import P_VALUE, Cell, Estimate, Field, Grid, Strong
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
    """Return agreement, tests between metrics, outliers and partitions."""
    return [*agreement_grids(result), *significance_grids(result), *check_grids(result)]


def agreement_grids(result: MetaResult) -> list[Grid]:
    """Return a table of agreement for each level and coefficient."""
    return [_agreement(result, *kind) for kind in kinds(result)]


def significance_grids(result: MetaResult) -> list[Grid]:
    """Return the tests between metrics; what is true of all is said once, below the last."""
    tests = [_significance(result, tested) for tested in result.significance]
    last = {test.notes: i for i, test in enumerate(tests)}
    return [t if last[t.notes] == i else replace(t, notes=()) for i, t in enumerate(tests)]


def check_grids(result: MetaResult) -> list[Grid]:
    """Return outliers, partitions and how judges behaved, where there are any."""
    made = [_outliers(result)] if result.outliers else []
    made += [partition_grid(result)] if result.partitions else []
    return [*made, *judge_grids(result)]


def judge_grids(result: MetaResult | Robustness) -> list[Grid]:
    """Return how the judges among the metrics behaved, if there are any."""
    return conduct_grids(result.judges, signed=isinstance(result, MetaResult))


def kinds(result: MetaResult) -> list[tuple[str, str]]:
    """Return the levels and coefficients that a result has."""
    return list(dict.fromkeys((a.level, a.coefficient) for a in result.agreements))


def heading(result: MetaResult, part: str, criterion: str) -> str:
    """Return the part and the criterion, of which only what there is more than one of."""
    parts = [part] if result.split is not None else []
    return " · ".join([*parts, criterion] if len(result.criteria) > 1 or not parts else parts)


def _agreement(result: MetaResult, level: str, coefficient: str) -> Grid:
    chosen = [a for a in result.agreements if (a.level, a.coefficient) == (level, coefficient)]
    keys = list(dict.fromkeys((a.part, a.criterion) for a in chosen))
    cells = {(a.metric, (a.part, a.criterion)): a for a in chosen}
    columns = [{m: cells[m, key] for m in result.metrics} for key in keys]
    names = ranked(result.metrics, columns)
    best = {key: np.nanmax([said(cells[m, key]) for m in names] + [-np.inf]) for key in keys}
    fields = [Field("metric"), *(Field(heading(result, *key)) for key in keys)]
    averaged = len(keys) > 1 and len(result.criteria) == 1
    if averaged:
        fields.append(Field("mean"))
    rows: list[list[Cell]] = []
    for name in names:
        row: list[Cell] = [name]
        for key in keys:
            cell = _estimate(cells[name, key])
            row.append(Strong(cell) if said(cells[name, key]) == best[key] else cell)
        rows.append([*row, mean(said(own[name]) for own in columns)] if averaged else row)
    notes = [f"{described(level, coefficient)}; {_sizes(result, chosen, keys)}"]
    if any(not np.isnan(a.low) for a in chosen):
        notes.append(interval_note(result))
    for key in keys:
        spans = {m: cells[m, key].epsilon for m in names}
        listing = ", ".join(f"{m} {e:.4g}" for m, e in spans.items() if e is not None)
        if listing:
            notes.append(f"{heading(result, *key)}: ties up to a difference of: {listing}")
    notes += warnings(result, chosen)
    return Grid(f"{coefficient}, {level}", tuple(fields), rows, tuple(notes))


def described(level: str, coefficient: str) -> str:
    """Return what the points of a table are."""
    return PAIRS if coefficient == PREFERENCES else NAMES[level]


def ranked(metrics: Sequence[str], columns: Sequence[Mapping[str, MetricAgreement]]) -> list[str]:
    """Return the metrics by the mean of their values in all columns, best first."""
    means = {m: mean(said(found[m]) for found in columns) for m in metrics}
    return sorted(metrics, key=lambda m: -np.nan_to_num(means[m], nan=-2))


def said(agreement: MetricAgreement) -> float:
    """Return the value, or NaN where it is of too few points to say anything."""
    return float("nan") if agreement.too_few else agreement.value


def mean(values: Iterable[float]) -> float:
    """Return the mean of the values that are defined."""
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


def interval_note(result: MetaResult, *, short: bool = False) -> str:
    """Return what the numbers in brackets are."""
    settings = result.settings
    over = settings.over or "items and, where there are several, systems"
    how = "by jackknife"
    if settings.interval != "jackknife":
        kind = "Poisson bootstrap" if settings.interval == "poisson" else "bootstrap"
        how = f"by {kind}, {settings.resamples} resamples, seed {settings.seed}"
    return (
        f"[low, high]: {settings.confidence:.0%} interval{'' if short else f' over {over}'}, {how}"
    )


def warnings(result: MetaResult, chosen: Sequence[MetricAgreement]) -> list[str]:
    """Return what a reader of a table should know before believing it."""
    notes = []
    few = dict.fromkeys(heading(result, a.part, a.criterion) for a in chosen if a.too_few)
    if few:
        notes.append(f"–: {_first(few)}: fewer than {FEWEST} points or groups, too few to tell")
    same = [a for a in chosen if np.isnan(a.value) and not a.too_few]
    if same:
        equal = dict.fromkeys(heading(result, a.part, a.criterion) for a in same)
        notes.append(f"–: {_first(equal)}: all ratings, or all scores of the metric, are the same")
    if against := _against(chosen):
        notes.append(
            f"every metric disagrees with {_first(against)}, beyond chance; if less of it is "
            f"better, say --lower-is-better {' '.join(against)} (in Python lower_is_better=)"
        )
    if any(_unvaried(a, result.settings) for a in chosen):
        notes.append(
            "a value without an interval, or whose interval is a point, is the same whichever "
            "items and systems are left out: it may be so by luck"
        )
    partly = [a for a in chosen if a.rated_outputs != a.outputs]
    if partly:
        rated, outputs = (
            span(getattr(a, name) for a in partly) for name in ("rated_outputs", "outputs")
        )
        where = "all outputs" if result.settings.system_over == "all" else "rated outputs only"
        notes.append(
            f"{rated} of {outputs} outputs are rated; scores of systems are over {where} "
            "(--system-over)"
        )
    if result.outliers and any(a.level == "system" for a in chosen):
        systems = dict.fromkeys(name for o in result.outliers for name in o.systems)
        notes.append(f"far off in ratings, which may make correlations: {_first(systems, 2)}")
    return notes


def _unvaried(a: MetricAgreement, settings: MetaSettings) -> bool:
    """Return whether there should be an interval, but nothing varies from which to tell it."""
    without = a.coefficient == SOFT or (a.level == "system" and a.epsilon is not None)
    if not settings.resamples or without or a.too_few or np.isnan(a.value):
        return False
    return bool(np.isnan(a.low) or a.low == a.high)


def span(numbers: Iterable[int]) -> str:
    """Return one number, or the smallest and the largest."""
    found = sorted(set(numbers))
    return str(found[0]) if len(found) == 1 else f"{found[0]} to {found[-1]}"


def _against(chosen: Sequence[MetricAgreement]) -> list[str]:
    """Return the criteria with which every metric disagrees, beyond chance, in every part."""
    found: dict[str, list[MetricAgreement]] = {}
    for a in chosen:
        found.setdefault(a.criterion, []).append(a)
    return [name for name, own in found.items() if all(a.high < 0 for a in own)]


def _first(names: Iterable[str], most: int = 3) -> str:
    listed = list(names)
    more = len(listed) - most
    return ", ".join(listed[:most]) + (f" and {more} more" if more > 0 else "")


def _estimate(a: MetricAgreement) -> float | Estimate | None:
    if a.too_few:
        return None
    return a.value if np.isnan(a.low) else Estimate(a.value, a.low, a.high)


def _sizes(result: MetaResult, chosen: list[MetricAgreement], keys: list[Key]) -> str:
    """Return how many points there are, and groups if there are several."""

    def texts(number: Callable[[MetricAgreement], int]) -> str:
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
    fields += [Field(name, P_VALUE) for name in tested.metrics] if small else [Field("better than")]
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
    notes = [
        f"Pearson; systems whose human score is more than {CUT:g} robust deviations from the median"
    ]
    if any(np.isnan(o.without_outliers) for o in result.outliers):
        notes.append(f"–: fewer than {FEWEST_OTHERS} other systems are left, too few to tell")
    return Grid("Outlying systems", fields, rows, tuple(notes))


def partition_grid(result: MetaResult) -> Grid:
    """Return the correlations of averages over random groups."""
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
