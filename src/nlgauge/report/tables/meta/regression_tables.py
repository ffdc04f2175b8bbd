"""Make the tables of models of judgements."""

from __future__ import annotations

from collections.abc import Sequence

from nlgauge.core.facts.defaults import ALPHA
from nlgauge.meta.choose.metric_regression import MetricRegression
from nlgauge.metrics.trained.linear import PROBLEMS, SHORT, LinearModel, ModelTerm
from nlgauge.report.tables.grid import Cell, Field, Grid, Strong

ALIKE = 10.0  # variance inflation above which terms say nearly the same


def regression_grids(
    models: Sequence[MetricRegression], saved: LinearModel | None = None
) -> list[Grid]:
    """Return for each model its terms, its steps if they were chosen, and its diagnostics.

    The metric that was made of a model follows.
    """
    grids = [grid for model in models for grid in model_grids(model)]
    return grids if saved is None else [*grids, metric_grid(saved)]


def model_grids(model: MetricRegression) -> list[Grid]:
    """Return the terms, steps and diagnostics of a model."""
    return [_terms(model), *([_steps(model)] if model.steps else []), _diagnostics(model)]


def p_text(p: float) -> str:
    """Return a p-value as papers print it."""
    return "p < .0001" if p < 1e-4 else f"p = {p:.4f}"


def model_name(model: MetricRegression) -> str:
    """Return the criterion and group of a model as a name."""
    return model.criterion if model.group is None else f"{model.group}, {model.criterion}"


def _terms(model: MetricRegression) -> Grid:
    fit = model.fit
    rows: list[list[Cell]] = []
    for i, c in enumerate(fit.coefficients):
        p: Cell = Strong(c.p) if i and c.p < ALPHA else c.p
        rows.append([c.name, c.value, c.error, c.t, p, c.low, c.high, c.vif])
    share = f"{fit.level * 100:g} %"
    fields = (
        Field("term"),
        Field("coefficient", ".4g"),
        Field("std. error", ".4g"),
        Field("t", ".2f"),
        Field("p", ".2g"),
        Field(f"{share} from", ".4g"),
        Field("to", ".4g"),
        Field("VIF", ".2f"),
    )
    rating = "normalised ratings, " if model.normalised else ""
    notes = [
        f"R² = {fit.r2:.4f}, adjusted {fit.adjusted_r2:.4f}; "
        f"F({fit.df_model}, {fit.df_residual}) = {fit.f:.2f}, {p_text(fit.p)}; "
        f"{rating}{fit.n} outputs"
        + (f", {model.left_out} without a rating left out" if model.left_out else "")
    ]
    inflated = [c.name for c in fit.coefficients[1:] if c.vif > ALIKE]
    if inflated:
        notes.append(
            f"{', '.join(inflated)}: VIF above {ALIKE:g}, so the terms say nearly the same and "
            "their coefficients tell little on their own"
        )
    return Grid(f"Model of {model_name(model)}", fields, rows, tuple(notes))


def _steps(model: MetricRegression) -> Grid:
    rows = [["+" if s.added else "−", s.term, s.p, s.r2] for s in model.steps]
    fields = (Field("step"), Field("term"), Field("p", ".2g"), Field("R² after", ".4f"))
    return Grid(f"Stepwise selection for {model_name(model)}", fields, rows)


def _diagnostics(model: MetricRegression) -> Grid:
    d, fit = model.fit.diagnostics, model.fit
    normal = f"{d.normality_test} (normal residuals)"
    rows: list[list[Cell]] = [
        ["Durbin–Watson (2: neighbours are independent)", d.durbin_watson, None],
        ["Breusch–Pagan (constant variance)", d.breusch_pagan, d.breusch_pagan_p],
        [normal, d.normality, d.normality_p],
        ["largest Cook's distance", d.largest_cook, None],
        [f"outputs with Cook's distance above 4/n = {4 / fit.n:.2g}", d.influential, None],
        ["R² when each output is left out", d.left_out_r2, None],
        ["R² in cross-validation over items", d.cross_validated_r2, None],
    ]
    fields = (Field("check"), Field("value", ".4f"), Field("p", ".2g"))
    return Grid(f"Diagnostics for {model_name(model)}", fields, rows)


def metric_grid(model: LinearModel) -> Grid:
    """Return the terms of the metric that was made of a model."""
    rows: list[list[Cell]] = [
        [
            term.metric.partition("|")[0],
            term.part,
            term.coefficient,
            term.coefficient / model.divisor,
        ]
        for term in model.terms
    ]
    rows.append(["(intercept)", None, model.intercept, model.intercept / model.divisor])
    fields = (Field("metric"), Field("part"), Field("fitted", ".4g"), Field("in the metric", ".4g"))
    notes = [f"divided by {model.divisor:.4f}, what the model gives a perfect text"]
    odd = [f"{t.metric.partition('|')[0]}.{t.part}" for t in model.terms if _rewards_problems(t)]
    if odd:
        notes.append(f"more of {', '.join(odd)} raises the score: think twice before using it")
    return Grid("As a metric, 1 for a perfect text", fields, rows, tuple(notes))


def _rewards_problems(term: ModelTerm) -> bool:
    return SHORT.get(term.part or "", term.part) in PROBLEMS and term.coefficient > 0
