"""Make the report of `nlgauge regress`: each model with its fit, residuals and terms."""

from __future__ import annotations

from collections.abc import Sequence

from nlgauge.meta.choose.metric_regression import MetricRegression
from nlgauge.metrics.trained.linear import LinearModel
from nlgauge.report.answers.metric_verdicts import regression_answer
from nlgauge.report.figures import Distribution, Figure, IntervalPlot, ScatterPlot
from nlgauge.report.pages.page import Section
from nlgauge.report.tables.meta.regression_tables import metric_grid, model_grids, model_name


def regression_sections(
    models: Sequence[MetricRegression], saved: LinearModel | None = None
) -> list[Section]:
    """Return each model with its fit, its residuals and its terms on one scale."""
    text = (
        "Standardised: by how many standard deviations the rating changes with one of the term. "
        "Residuals without a pattern speak for the model."
    )
    made = [
        Section(
            title=model_name(model),
            text="" if i else text,
            grids=model_grids(model),
            figures=_figures(model),
        )
        for i, model in enumerate(models)
    ]
    made = [*regression_answer(models), *made]
    return made if saved is None else [*made, Section(title="Metric", grids=[metric_grid(saved)])]


def _figures(model: MetricRegression) -> list[Figure]:
    fit = model.fit
    names = zip(model.systems, model.items, strict=True)
    labels = [" ".join(filter(None, pair)) for pair in names]
    # Terms are counted in units of their own, so that only standardised ones can be compared.
    spread = model.values.std(axis=0) / fit.observed.std()
    terms = fit.coefficients[1:]
    return [
        ScatterPlot(
            title=f"{model_name(model)}: fitted × observed",
            x_label="fitted",
            y_label="observed",
            x=fit.fitted,
            y=fit.observed,
            labels=labels,
        ),
        ScatterPlot(
            title=f"{model_name(model)}: residuals",
            x_label="fitted",
            y_label="residual",
            x=fit.fitted,
            y=fit.residuals,
            labels=labels,
        ),
        IntervalPlot(
            title=f"{model_name(model)}: standardised coefficients",
            labels=[term.name for term in terms],
            values=[term.value * s for term, s in zip(terms, spread, strict=True)],
            lows=[term.low * s for term, s in zip(terms, spread, strict=True)],
            highs=[term.high * s for term, s in zip(terms, spread, strict=True)],
            axis="standard deviations",
            format=".3f",
            reference=0.0,
        ),
        Distribution(
            title=f"{model_name(model)}: spread of the residuals",
            labels=["residual"],
            samples=[fit.residuals],
            axis="observed − fitted",
        ),
    ]
