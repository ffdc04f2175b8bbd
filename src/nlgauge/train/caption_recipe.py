"""Fit the network that tells captions of people from those of machines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.signature import identity
from nlgauge.data.corpus import Corpus, References
from nlgauge.data.labels import Codes
from nlgauge.kernels import Floats, Texts
from nlgauge.metrics.trained.captions import CaptionMetric, human_probability
from nlgauge.metrics.trained.feature_model import FeatureModel
from nlgauge.models.predictors.predictor import Arrays
from nlgauge.train.feature_recipe import features_of
from nlgauge.train.layered_fit import fit_classes
from nlgauge.train.recipe import FitRun, Recipe

_HUMAN = {"identical": 1.0, "negated": 0.2}  # what synthetic rows are taken for; others 0
_COUNT = {"halved": 8}  # how often they are learnt from; others twice


@dataclass(frozen=True, eq=False)
class CaptionFeatures:
    """These are the features of outputs, and of one of their references against the others."""

    outputs: Floats  # [rows, features]
    people: Floats  # the same; NaN where there is one reference only


class CaptionRecipe(Recipe[CaptionFeatures]):
    """References, each against the others of its picture, are captions of people.

    With `labels=origin`, as the authors have it, outputs are captions of machines, whatever people
    say of them; with `labels=ratings`, an output is taken for human to the degree that it was rated
    between the worst and the best.
    """

    metric: CaptionMetric
    choices: ClassVar = {"labels": ("ratings", "origin")}

    def prepare(self, corpus: Corpus, *, threads: int) -> CaptionFeatures:
        """Compute the features of outputs and of references."""
        outputs = features_of(self.metric.looked_at(), corpus, threads=threads)
        people = np.full(outputs.shape, np.nan)
        several = np.flatnonzero(corpus.references.counts > 1)
        if several.size:
            own = features_of(
                self.metric.looked_at(), _references(corpus, several), threads=threads
            )
            people[several] = own
        return CaptionFeatures(outputs, people)

    def take(self, prepared: CaptionFeatures, rows: Codes) -> CaptionFeatures:
        """Return the features of some rows."""
        return CaptionFeatures(prepared.outputs[rows], prepared.people[rows])

    def fit(self, prepared: CaptionFeatures, ratings: Floats, run: FitRun) -> Arrays:
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

    def predict(self, arrays: Arrays, prepared: CaptionFeatures) -> Floats:
        """Return the probability that a person wrote a caption."""
        model = FeatureModel.from_arrays(arrays, self.metric.predictor_class)
        return human_probability(model.predictor, prepared.outputs)

    def control(self, corpus: Corpus, prepared: CaptionFeatures, *, threads: int) -> Floats:  # noqa: ARG002
        """Return the features of outputs."""
        return prepared.outputs

    def header(self) -> dict[str, Any]:
        """Name the features, and what was taken for human."""
        return {
            "features": [[identity(metric), part] for metric, part in self.metric.looked_at()],
            "predictor": self.metric.predictor_class.__name__,
            "settings": self.chosen,
        }


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
