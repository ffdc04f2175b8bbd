"""Make the report cards of metrics as tables."""

from __future__ import annotations

import math

from nlgauge.meta.stress.perturbations.trials import Trial
from nlgauge.meta.stress.robustness import PerturbationOutcome, Robustness
from nlgauge.report.tables.grid import Cell, Field, Grid, SignatureNote, Strong
from nlgauge.report.tables.score_tables import MOST_ACROSS, heading, signature_note


def card(result: Robustness) -> list[Grid]:
    """Return tables of meaning broken and of meaning kept, and how well metrics tell them apart."""
    titles = {
        True: f"meaning broken: share of texts that score worse by more than {result.epsilon:g} of "
        "the metric's range",
        False: f"meaning kept: share of texts whose score moves by at most {result.epsilon:g} of "
        "the metric's range",
    }
    grids = []
    for breaking, title in titles.items():
        trials = [trial for trial in result.trials if trial.breaking == breaking]
        if trials:
            across = len(result.columns) <= MOST_ACROSS
            grids.append((_by_perturbation if across else _by_metric)(result, trials, title))
    separation: list[list[Cell]] = [[heading(c), result.separation[c.name]] for c in result.columns]
    if len(grids) == 2:
        title = "broken below kept: share of pairs of changed texts of the same original"
        grids.append(Grid(title, (Field("metric"), Field("share", ".1%")), separation))
    notes: tuple[str | SignatureNote, ...] = (
        f"{len(result.originals)} texts: {result.scored_against}; ✓: {result.threshold:.0%} of the "
        f"texts or more; seed {result.seed}",
        *(f"left out: {name}: {reason}" for name, reason in result.left_out.items()),
        *(signature_note(column.name, column.signature) for column in result.columns),
    )
    if grids:
        last = grids[-1]
        grids[-1] = Grid(last.title, last.fields, last.rows, (*last.notes, *notes))
    return grids


def _by_perturbation(result: Robustness, trials: list[Trial], title: str) -> Grid:
    marked = (Field(heading(c), number=True) for c in result.columns)
    changed = (Field("coverage", ".0%"), Field("touched", ".0%"))
    rows = []
    for trial in trials:
        marks = [_mark(result.outcomes[c.name, trial.perturbation]) for c in result.columns]
        rows.append([trial.perturbation, *marks, trial.coverage, trial.mean_touched])
    return Grid(title, (Field("perturbation"), *marked, *changed), rows)


def _by_metric(result: Robustness, trials: list[Trial], title: str) -> Grid:
    fields = (Field("metric"), *(Field(trial.perturbation) for trial in trials), Field("passed"))
    rows: list[list[Cell]] = []
    coverage = ["(coverage)", *(f"{trial.coverage:.0%}" for trial in trials), ""]
    for column in result.columns:
        own = [result.outcomes[column.name, trial.perturbation] for trial in trials]
        tried = [o for o in own if o.texts]
        passed = f"{sum(o.passed for o in tried)} of {len(tried)}"
        rows.append([heading(column), *map(_mark, own), passed])
    return Grid(title, fields, [coverage, *rows])


def _mark(outcome: PerturbationOutcome) -> Cell:
    if math.isnan(outcome.passing):
        return None
    text = f"{'✓' if outcome.passed else '✗'} {outcome.passing:.0%}"
    return Strong(text) if outcome.passed else text


def details(result: Robustness) -> list[Grid]:
    """Return all numbers, in one table for each metric."""
    levels = max((trial.severities for trial in result.trials), key=len, default=())
    fields = (
        Field("perturbation"),
        Field("meaning"),
        Field("texts"),
        Field("change"),
        Field("drop"),
        Field("|drop|"),
        Field("ranked"),
        Field("passing"),
        Field("passed"),
        Field("r(touched)"),
        *(Field(f"drop at {severity:g}") for severity in levels),
    )
    grids = []
    for column in result.columns:
        rows = []
        for trial in result.trials:
            o = result.outcomes[column.name, trial.perturbation]
            by_severity = o.by_severity or (None,) * len(levels)
            rows.append(
                [
                    *(o.perturbation, "broken" if o.breaking else "kept", o.texts, o.change),
                    *(o.drop, o.size, o.ranked if o.breaking else None, o.passing),
                    *(o.passed if o.texts else None, o.correlation, *by_severity),
                ]
            )
        grids.append(Grid(f"{heading(column)}", fields, rows))
    if grids:
        notes = (
            "change: changed minus original, as printed; drop: how much worse, as a share of the "
            "metric's range; ranked: share that scores worse than the original; r(touched): "
            "Spearman's correlation of drop and share of words touched",
            *(
                f"range of {column.name}, which has no bounds: {result.ranges[column.name]:.4g}"
                for column in result.columns
                if math.inf in map(abs, column.metric.bounds)
            ),
        )
        grids[-1] = Grid(grids[-1].title, fields, grids[-1].rows, notes)
    return grids


def samples(result: Robustness, number: int) -> Grid:
    """Return the first changed texts of each perturbation, at the highest severity."""
    rows: list[list[Cell]] = []
    for trial in result.trials:
        pairs = zip(result.originals, trial.texts[-1], strict=True)
        changed = [(old, new) for old, new in pairs if new is not None][:number]
        for old, new in changed:
            rows.append([trial.perturbation, "original", old])
            rows.append(["", "changed", new])
    return Grid("changed texts", (Field("perturbation"), Field(""), Field("text")), rows)
