"""Make the tables of a comparison of systems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nlgauge.core.metric import Interval, decimals
from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid, Strong, directed
from nlgauge.report.tables.score_tables import signature_note
from nlgauge.run.comparison import Comparison, Difference, SystemScore

TEST_NOTES = {
    "randomisation": "approximate randomisation, {trials} trials, seed {seed}",
    "bootstrap-shift": "bootstrap test, shift method, {trials} resamples, seed {seed}",
    "paired-ar": "approximate randomisation as in sacreBLEU, {trials} trials, seed {seed}",
    "paired-bs": "paired bootstrap as in sacreBLEU, {trials} resamples, seed {seed}",
    "t": "paired t test on segment scores; differences are those of their means",
    "wilcoxon": "Wilcoxon's signed-rank test on segment scores; differences are those of means",
    "poisson": "Poisson bootstrap test, {trials} resamples, seed {seed}",
    "poisson-segments": "Poisson bootstrap test on segment scores, {trials} resamples, seed "
    "{seed}; differences are those of their means",
}
INTERVAL_NAMES = {
    "percentile": "percentile bootstrap",
    "bca": "BCa bootstrap",
    "poisson": "Poisson bootstrap",
}
FEWEST_RANKED = 3  # two systems are ranked by their difference
MOST_PAIRS = 28  # of eight systems: more fill a screen for each metric, and clusters say it sooner
MORE = "--all; everything: -f json, --report FILE"
IN_PYTHON = "to_pandas(), report(path)"


def summary(result: Comparison, more: str = IN_PYTHON) -> list[Grid]:
    """Return what fits a screen: of very many pairs scores and clusters; `more` says where the
    differences are.
    """
    pairs = len(result.differences) // max(1, len(result.metrics))
    if pairs <= MOST_PAIRS or not result.rankings:
        return grids(result)
    made = [scores_grid(result), *variance_grids(result), *ranking_grids(result)]
    last = made[-1]
    notes = (*last.notes, *_test_notes(result), f"the differences of {pairs} pairs: {more}")
    return [*made[:-1], replace(last, notes=notes)]


def grids(result: Comparison) -> list[Grid]:
    """Return scores, differences, analyses of variance, and clusters."""
    return [
        scores_grid(result),
        *difference_grids(result),
        *variance_grids(result),
        *ranking_grids(result),
    ]


def paper_grids(result: Comparison) -> list[Grid]:
    """Return one table for a paper: scores with the best in bold, and † where it matters."""
    against = {d.other for d in result.differences}
    baseline = against.pop() if len(against) == 1 and not result.rankings else None
    columns = []
    for metric, higher in zip(result.metrics, result.higher_is_better, strict=True):
        scores = {s.system: s.score for s in result.scores if s.metric == metric}
        best = (max if higher else min)(scores, key=lambda system: scores[system])
        format = format_of(result, metric)
        column: dict[str, Cell] = {}
        for system, score in scores.items():
            marked = _differs(result, system, baseline or best, metric)
            cell = f"{score:{format}}" + (r"†" if marked else "")
            column[system] = Strong(cell) if scores[best] == score else cell
        columns.append(column)
    rows = [[system, *(column[system] for column in columns)] for system in result.systems]
    fields = (Field("System"), *(Field(heading(result, m), number=True) for m in result.metrics))
    what = f"different from {baseline}" if baseline else "worse than the best system"
    notes = (f"bold: best; †: significantly {what} ({_test_notes(result)[0].removeprefix('p: ')})",)
    return [Grid("", fields, rows, (*notes, *scores_grid(result).notes[1:]))]


def _differs(result: Comparison, system: str, other: str, metric: str) -> bool:
    return any(
        d.significant
        for d in result.differences
        if d.metric == metric and {d.system, d.other} == {system, other}
    )


def heading(result: Comparison, metric: str) -> str:
    """Return the name of a metric, and which way is better."""
    return directed(metric, result.higher_is_better[result.metrics.index(metric)])


def format_of(result: Comparison, metric: str) -> str:
    """Return the format of numbers: two decimals on a scale of 100, more where it is smaller."""
    return f".{decimals(result.scales[result.metrics.index(metric)])}f"


def _estimate(value: float, interval: Interval | None) -> float | Estimate:
    return value if interval is None else Estimate(value, interval.low, interval.high)


def scores_grid(result: Comparison) -> Grid:
    """Return the scores of systems by metrics."""
    by_system: dict[str, list[Cell]] = {system: [system] for system in result.systems}
    for metric, higher in zip(result.metrics, result.higher_is_better, strict=True):
        column = [score for score in result.scores if score.metric == metric]
        top = (max if higher else min)(score.score for score in column)
        for score in column:
            by_system[score.system].append(_score(score, top))
    notes = [f"{result.segments} segment{'s' if result.segments != 1 else ''}"]
    if result.interval_method != "none":
        notes[0] += (
            f"; [low, high]: {100 * (1 - result.alpha):g} % "
            f"{INTERVAL_NAMES[result.interval_method]} interval, {result.resamples} resamples, "
            f"seed {result.seed}"
        )
    notes += [f"left out: {name}: {reason}" for name, reason in result.left_out.items()]
    fields = [Field(heading(result, m), format_of(result, m)) for m in result.metrics]
    return Grid(
        "Scores",
        (Field("system", coloured=result.systems), *fields),
        list(by_system.values()),
        (*notes, *map(signature_note, result.metrics, result.signatures)),
    )


def _score(score: SystemScore, top: float) -> Cell:
    cell = _estimate(score.score, score.interval)
    return Strong(cell) if score.score == top else cell


def difference_grids(result: Comparison) -> Iterator[Grid]:
    """Return a table of differences for each metric."""
    corrected = result.correction != "none"
    for metric in result.metrics:
        rows = [
            _difference(found, corrected) for found in result.differences if found.metric == metric
        ]
        yield Grid(
            f"Differences by {heading(result, metric)}",
            (
                Field("system", coloured=result.systems),
                Field("against", coloured=result.systems),
                Field("difference", "+" + format_of(result, metric)),
                Field("p", ".3g"),
                *([Field("corrected p", ".3g")] if corrected else []),
                Field("the system is"),
            ),
            rows,
            _test_notes(result) if metric == result.metrics[-1] else (),
        )


def _difference(found: Difference, corrected: bool) -> list[Cell]:
    p: list[Cell] = [found.p_value, found.adjusted] if corrected else [found.p_value]
    last = p.pop()
    return [
        found.system,
        found.other,
        _estimate(found.difference, found.interval),
        *p,
        Strong(last) if found.significant else last,  # type: ignore[arg-type]
        Strong(found.verdict) if found.significant else found.verdict,
    ]


def _test_notes(result: Comparison) -> tuple[str, ...]:
    how = TEST_NOTES[result.test].format(trials=result.trials, seed=result.seed)
    notes = [f"p: {how}; two-sided, significant at {result.alpha:g}"]
    k = len(result.differences)
    if result.correction != "none":
        notes.append(f"corrected p: {result.correction}, for {k} comparison{'s' * (k > 1)}")
    elif k > 1:
        notes.append(
            f"{k} comparisons at {result.alpha:g} each: if no system differed, the chance of at "
            f"least one false alarm would be {result.experiment_wise_error:.4f} (for independent "
            "comparisons); a correction, such as holm, keeps it down"
        )
    return tuple(notes)


def variance_grids(result: Comparison) -> Iterator[Grid]:
    """Return an analysis of variance for each metric, if it was asked for."""
    for found in result.variances:
        table = found.anova
        yield Grid(
            f"Analysis of variance of segment scores, {heading(result, found.metric)}",
            (Field("system"), Field("against"), Field("Tukey p", ".3g"), Field("Scheffé p", ".3g")),
            [
                [a, b, *(Strong(p) if p <= result.alpha else p for p in pair)]
                for (a, b), *pair in zip(found.pairs, found.tukey, found.scheffe, strict=True)
            ],
            (
                f"F({table.df_between}, {table.df_within}) = {table.f:.3f}, p = {table.p_value:.3g}"
                "; segments count as independent, so that small differences stay hidden",
            ),
        )


def ranking_grids(result: Comparison) -> Iterator[Grid]:
    """Return the clusters by each metric, if there is anything to rank."""
    if len(result.systems) < FEWEST_RANKED:
        return
    scores = {(score.system, score.metric): score.score for score in result.scores}
    for found in result.rankings:
        rows: list[list[Cell]] = [
            [
                rank.cluster,
                str(rank.best) if rank.best == rank.worst else f"{rank.best}–{rank.worst}",
                system,
                scores[system, found.metric],
                rank.wins,
                rank.losses,
            ]
            for system, rank in zip(found.systems, found.ranks, strict=True)
        ]
        yield Grid(
            f"Clusters by {heading(result, found.metric)}",
            (
                Field("cluster"),
                Field("rank"),
                Field("system", coloured=result.systems),
                Field("score", format_of(result, found.metric)),
                Field("better than"),
                Field("worse than"),
            ),
            rows,
            ("a cluster ends where all systems above are significantly better than all below",)
            if found is result.rankings[-1]
            else (),
        )
