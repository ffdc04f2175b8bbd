"""Fit models that tell what people wrote from what machines wrote."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.signature import identity
from nlgauge.data.corpus import Corpus, References
from nlgauge.data.labels import Codes
from nlgauge.errors import DataError
from nlgauge.kernels import Floats, Texts
from nlgauge.metrics.trained.feature_model import FeatureModel, LearnedMetric
from nlgauge.metrics.trained.human_or_machine import human_probability, signed_distance
from nlgauge.models.predictors.linear_predictor import LinearPredictor
from nlgauge.models.predictors.predictor import Arrays
from nlgauge.train.feature_recipe import features_of, fit_sense
from nlgauge.train.fits import fit_margin
from nlgauge.train.layered_fit import fit_classes
from nlgauge.train.recipe import FitRun, Recipe

_HUMAN = {"identical": 1.0, "negated": 0.2}  # what synthetic rows are taken for; others 0
_COUNT = {"halved": 8}  # how often they are learnt from; others twice


@dataclass(frozen=True, eq=False)
class OwnAndOthers:
    """These are the features of outputs, and of one of their references against the others."""

    outputs: Floats  # [rows, features]
    people: Floats  # the same; NaN where there is one reference only


class HumanRecipe(Recipe[OwnAndOthers]):
    """References, each against the others of its row, are what people wrote.

    With `labels=origin`, as the authors have it, outputs are what machines wrote, whatever people
    say of them; with `labels=ratings`, those that are rated high are taken for human, too.
    """

    metric: LearnedMetric
    choices: ClassVar = {"labels": ("ratings", "origin")}

    def prepare(self, corpus: Corpus, *, threads: int) -> OwnAndOthers:
        """Compute the features of outputs and of references."""
        outputs = features_of(self.metric.looked_at(), corpus, threads=threads)
        people = np.full(outputs.shape, np.nan)
        several = np.flatnonzero(corpus.references.counts > 1)
        if several.size:
            own = features_of(
                self.metric.looked_at(), _references(corpus, several), threads=threads
            )
            people[several] = own
        return OwnAndOthers(outputs, people)

    def take(self, prepared: OwnAndOthers, rows: Codes) -> OwnAndOthers:
        """Return the features of some rows."""
        return OwnAndOthers(prepared.outputs[rows], prepared.people[rows])

    def control(self, corpus: Corpus, prepared: OwnAndOthers, *, threads: int) -> Floats:  # noqa: ARG002
        """Return the features of outputs."""
        return prepared.outputs

    def header(self) -> dict[str, Any]:
        """Name the features, and what was taken for human."""
        return {
            "features": [[identity(metric), part] for metric, part in self.metric.looked_at()],
            "predictor": self.metric.predictor_class.__name__,
            "settings": self.chosen,
        }


class CaptionRecipe(HumanRecipe):
    """A network learns; an output is taken for human to the degree that it was rated between the
    worst and the best.
    """

    def fit(self, prepared: OwnAndOthers, ratings: Floats, run: FitRun) -> Arrays:
        """Fit the network to outputs, synthetic rows and references."""
        rated = run.rated
        low, high = ratings[rated].min(), ratings[rated].max()
        targets = np.array([_HUMAN.get(kind or "", 0.0) for kind in run.kinds])
        if self.chosen["labels"] == "ratings":
            targets[rated] = (ratings[rated] - low) / max(high - low, 1e-12)
        times = [1 if kind is None else _COUNT.get(kind, 2) for kind in run.kinds]
        people = prepared.people[rated]
        people = people[~np.isnan(people[:, 0])]
        features = np.vstack([np.repeat(prepared.outputs, times, axis=0), people])
        targets = np.concatenate([np.repeat(targets, times), np.ones(len(people))])
        return FeatureModel(fit_classes(features, targets, seed=run.seed), None).arrays()

    def predict(self, arrays: Arrays, prepared: OwnAndOthers) -> Floats:
        """Return the probability that a person wrote a caption."""
        model = FeatureModel.from_arrays(arrays, self.metric.predictor_class)
        return human_probability(model.predictor, prepared.outputs)


class KsSvmRecipe(HumanRecipe):
    """A support vector machine learns; the third of outputs that is rated best, in each part, is
    taken for human, the worst third for machine, and the others are left out.
    """

    def fit(self, prepared: OwnAndOthers, ratings: Floats, run: FitRun) -> Arrays:
        """Fit the plane to outputs and references, and common sense to synthetic rows."""
        features, human = prepared.outputs[run.rated], -np.ones(len(run.rated))
        if self.chosen["labels"] == "ratings":
            human = _thirds(ratings[run.rated], run.parts.codes[run.rated])
        people = prepared.people[run.rated]
        people = people[~np.isnan(people[:, 0])]
        known = np.vstack([features[human != 0], people])
        signs = np.concatenate([human[human != 0], np.ones(len(people))])
        if not (signs > 0).any():
            raise DataError(
                "labels=origin: no row has several references, so that nothing is known to be "
                "human; use labels=ratings"
            )
        fitted = _per_deviation(fit_margin(known, signs), features)
        return FeatureModel(fitted, fit_sense(prepared.outputs, run)).arrays()

    def predict(self, arrays: Arrays, prepared: OwnAndOthers) -> Floats:
        """Return the signed distances from the plane."""
        model = FeatureModel.from_arrays(arrays, self.metric.predictor_class)
        return signed_distance(model, prepared.outputs)


def _per_deviation(plane: LinearPredictor, features: Floats) -> LinearPredictor:
    """Return distances in standard deviations of those of outputs, as common sense needs them."""
    spread = max(float(plane.predict(features).std()), 1e-12)
    return LinearPredictor(plane.scaler, plane.weights / spread, plane.intercept / spread)


def _thirds(ratings: Floats, parts: Codes) -> Floats:
    """Return 1 for ratings in the upper third of their part, -1 in the lower one, else 0."""
    found = np.zeros(len(ratings))
    for part in np.unique(parts).tolist():
        own = parts == part
        low, high = np.quantile(ratings[own], [1 / 3, 2 / 3])
        upper = (ratings[own] >= high) & (ratings[own] > low)  # many may have the same rating
        found[own] = np.where(upper, 1.0, np.where(ratings[own] <= low, -1.0, 0.0))
    return found


def _references(corpus: Corpus, rows: Codes) -> Corpus:
    """Return a corpus of one reference of each row, in turn, against the others of the row."""
    hyps, refs = [], []
    for row in rows.tolist():
        own = list(corpus.references[row])
        k = row % len(own)
        hyps.append(own[k])
        refs.append([*own[:k], *own[k + 1 :]])
    return replace(
        corpus.take(rows.tolist()), hypotheses=Texts(hyps), references=References.build(refs)
    )
