"""Make the report of `nlgauge agree`: measures of agreement, annotators and their pairs."""

from __future__ import annotations

import numpy as np

from nlgauge.human.annotator_agreement import Agreement, CriterionAgreement
from nlgauge.report.answers.people_verdicts import agreement_answer
from nlgauge.report.figures import Figure, HeatMap, IntervalPlot
from nlgauge.report.pages.page import Section
from nlgauge.report.tables.human.agreement_tables import (
    criterion_title,
    measures_grid,
    people_grids,
)

_MANY_ANNOTATORS = 40  # in a picture of their pairs


def agreement_sections(result: Agreement) -> list[Section]:
    """Return the overview, then each criterion with its measures and its annotators."""
    found = [
        Section(
            title=criterion_title(criterion),
            grids=people_grids(criterion),
            figures=_figures(criterion),
        )
        for criterion in result.criteria
    ]
    overview = Section(title="Agreement", grids=[measures_grid(result)])
    return [*agreement_answer(result), overview, *found]


def _figures(criterion: CriterionAgreement) -> list[Figure]:
    measures, annotators = criterion.measures, criterion.annotators
    figures: list[Figure] = [
        IntervalPlot(
            title=f"Agreement: {criterion_title(criterion)}",
            labels=[m.name for m in measures],
            values=[m.value for m in measures],
            lows=[m.low for m in measures],
            highs=[m.high for m in measures],
            axis="agreement",
            format=".3f",
            hollow=[m.name != criterion.headline for m in measures],
            reference=0.0,
        )
    ]
    if len(criterion.pairs) > 1 and len(annotators) <= _MANY_ANNOTATORS:
        place = {name: i for i, name in enumerate(annotators)}
        numbers = criterion.kind == "ratings"
        kappas = np.full((len(place), len(place)), np.nan)
        for pair in criterion.pairs:
            i, j = place[pair.first], place[pair.second]
            kappas[i, j] = kappas[j, i] = pair.quadratic if numbers else pair.kappa
        title = f"Cohen κ{' (quadratic)' if numbers else ''} of pairs: {criterion_title(criterion)}"
        figures.append(HeatMap.of_correlations(title, annotators, kappas))
    return figures
