"""Models of judgements on metrics, and how one becomes a metric (Bangalore, Rambow & Whittaker,
2000, section 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nlgauge.core import registry
from nlgauge.core.facts.defaults import ALPHA, CONFIDENCE, SEED
from nlgauge.core.given import GivenScores
from nlgauge.core.outputs import Outputs, OutputScores
from nlgauge.core.table import Column
from nlgauge.data.labels import Labels
from nlgauge.errors import DataError, SpecError
from nlgauge.human.normalisation import normalise as normalised
from nlgauge.kernels import Floats
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.metrics.trained.linear import LinearModel, ModelTerm, perfect_value, values_of
from nlgauge.stats.regression import Fit, least_squares
from nlgauge.stats.selection import Step, stepwise

LENGTH = "length"  # words of the output, as a term


@dataclass(frozen=True, eq=False, kw_only=True)
class MetricRegression:
    """A regression is a model of one criterion's ratings, and the points it was fitted to."""

    criterion: str
    group: str | None
    fit: Fit
    steps: tuple[Step, ...]  # of stepwise selection
    left_out: int  # outputs without a rating
    normalised: bool
    terms: tuple[tuple[Column, str | None], ...]  # metric and part of each term
    values: Floats  # [points, terms]
    items: Labels
    systems: Labels


def metrics_of(terms: Sequence[str]) -> list[str]:
    """Return the metrics that terms such as `ssa`, `ssa.substitutions` and `length` look at."""
    found: dict[str, None] = {}
    for term in terms:
        if term != LENGTH:
            found.setdefault(_split(term)[0])
    return list(found)


def _split(term: str) -> tuple[str, str | None]:
    """Return metric and part; the metric's name, which may hold a dot itself, is as long as
    possible.
    """
    end = term.rfind(")") + 1
    if end:
        return term[:end], term[end:].removeprefix(".") or None
    known = {*registry.names(), *registry.PRESETS, *registry.ALIASES}
    for end in [len(term), *(i for i in reversed(range(len(term))) if term[i] == ".")]:
        if term[:end].lower().replace("_", "-") in known:
            return term[:end], term[end + 1 :] or None
    registry.metric_class(term.partition(".")[0])  # says what is wrong
    return term, None


def with_length(scores: OutputScores, outputs: Outputs) -> OutputScores:
    """Add a column of the outputs' lengths, in words between blanks, to scores."""
    words = np.array([len(text.split()) for text in outputs.corpus.hypotheses], np.float64)
    metric = GivenScores(name=LENGTH, source="words of the output")
    column = OutputScores(
        items=outputs.items,
        systems=outputs.systems,
        columns=(Column(LENGTH, metric, metric.signature()),),
        rows=(np.column_stack([words, np.ones(len(words))]),),
    )
    return scores.joined(column)


def regress(
    paired: PairedScores,
    terms: Sequence[str],
    *,
    criterion: str,
    normalise: bool = True,
    select: bool = False,
    enter: float = ALPHA,
    leave: float = 0.10,
    level: float = CONFIDENCE,
    seed: int = SEED,
    group: str | None = None,
) -> MetricRegression:
    """Fit a criterion's ratings on terms: columns of the scores, or `column.part`.

    `normalise` takes each annotator's ratings as z-scores before they are averaged for each output;
    `select` chooses among the terms, stepwise.
    """
    if len(set(terms)) < len(terms):
        raise SpecError(f"terms {', '.join(terms)}: one is given twice")
    judgements = paired.judgements.where(criterion=criterion)
    if normalise:
        judgements = normalised(judgements)
    judged = PairedScores(scores=paired.scores, judgements=judgements, groups=paired.groups)
    rated = judged.human(criterion)
    columns = [_column(paired.scores, term) for term in terms]
    known = ~np.isnan(rated)
    if not known.any():
        raise DataError(
            f"no output has a rating of {criterion}; do items and systems have the same names?"
        )
    rows = [
        values_of(column.metric, part, paired.scores.rows_of(column.name)[known])
        for column, part in columns
    ]
    values = np.column_stack(rows) if rows else np.empty((int(known.sum()), 0))
    steps: tuple[Step, ...] = ()
    names = list(terms)
    if select:
        chosen, steps = stepwise(rated[known], values, names, enter=enter, leave=leave)
        if not chosen:
            raise DataError(f"no term has p < {enter}, so stepwise selection leaves no model")
        values = values[:, chosen]
        names, columns = [names[j] for j in chosen], [columns[j] for j in chosen]
    items, systems = (x.take(known) for x in (paired.scores.items, paired.scores.systems))
    fit = least_squares(rated[known], values, names, groups=items.codes, level=level, seed=seed)
    return MetricRegression(
        criterion=criterion,
        group=group,
        fit=fit,
        steps=steps,
        left_out=int((~known).sum()),
        normalised=normalise,
        terms=tuple(columns),
        values=values,
        items=items,
        systems=systems,
    )


def _column(scores: OutputScores, term: str) -> tuple[Column, str | None]:
    for end in [len(term), *(i for i in reversed(range(len(term))) if term[i] == ".")]:
        if term[:end] in scores.names:
            return scores.column(term[:end]), term[end + 1 :] or None
    return scores.column(term), None


def model_of(
    regression: MetricRegression,
    *,
    drop: Sequence[str] = (LENGTH,),
    perfect: Mapping[str, float] | None = None,
    alpha: float = ALPHA,
) -> LinearModel:
    """Make a metric of a regression: fit again without the terms to `drop`, which say nothing about
    accuracy, and divide by what the model says of a perfect text. `perfect` has the values of its
    terms where the metrics do not tell them. The model must be significant at `alpha`.
    """
    given = dict(perfect or {})
    names = regression.fit.names
    if unknown := given.keys() - set(names):
        raise SpecError(f"perfect: there is no term {', '.join(sorted(unknown))}")
    kept = [j for j, name in enumerate(names) if name not in drop]
    if not kept:
        raise SpecError(f"nothing is left of {', '.join(names)} for a metric")
    fit = least_squares(
        regression.fit.observed,
        regression.values[:, kept],
        [names[j] for j in kept],
        groups=regression.items.codes,
    )
    if not fit.p < alpha:
        raise DataError(
            f"the model of {regression.criterion} is not significant (p = {fit.p:.3g}, "
            f"alpha = {alpha:g}), so it becomes no metric"
        )
    terms, values = [], []
    for name, (column, part), found in zip(
        fit.names, (regression.terms[j] for j in kept), fit.coefficients[1:], strict=True
    ):
        if isinstance(column.metric, GivenScores):
            raise SpecError(f"{name} comes from elsewhere, so a metric cannot compute it")
        value = given.get(name, perfect_value(column.metric, part))
        if value is None:
            raise SpecError(f"{name}: what a perfect text gets is not known; give {name}=VALUE")
        terms.append(ModelTerm(column.metric.signature(), part, found.value))
        values.append(value)
    about = {
        "criterion": regression.criterion,
        "normalised": regression.normalised,
        "points": fit.n,
        "r2": fit.r2,
        "f": fit.f,
        "p": fit.p,
        "cross_validated_r2": fit.diagnostics.cross_validated_r2,
    }
    known = {name: value for name, value in about.items() if value == value}  # JSON has no NaN
    model = LinearModel(terms=tuple(terms), intercept=fit.intercept, about=known)
    return model.calibrated(values)
