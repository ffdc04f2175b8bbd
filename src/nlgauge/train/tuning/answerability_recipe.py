"""Tune the weights of Q-metrics to ratings of questions, as one of the trainer's recipes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from nlgauge.core.metric import Metric
from nlgauge.core.signature import identity
from nlgauge.data.corpus import Corpus
from nlgauge.data.labels import Codes
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.answerability import QMetric
from nlgauge.metrics.trained.question_words import CLASSES
from nlgauge.models.predictors.predictor import Arrays
from nlgauge.train.recipe import FitRun
from nlgauge.train.tuning.answerability import tune_answerability
from nlgauge.train.tuning.tuning_recipe import TuningRecipe

DIGITS = 4  # of options in the spec


class AnswerabilityRecipe(TuningRecipe[Floats]):
    """The weights of the classes and delta are means of the best points of a grid."""

    metric: QMetric

    def __init__(self, metric: Any, **chosen: str) -> None:
        super().__init__(metric, **chosen)
        if self.metric.profile != "public":
            raise SpecError("profile=paper cannot be tuned, as its score is not linear; use public")

    def prepare(self, corpus: Corpus, *, threads: int) -> Floats:
        """Score each class by itself, then the other metric, then the mix that was given."""
        self.metric.check_inputs(corpus)
        state = self.metric.fitted(corpus)
        zero = dict.fromkeys(CLASSES, 0.0)
        alone = [{**zero, name: 1.0, "delta": 1.0} for name in CLASSES]
        metrics = [_changed(self.metric, given) for given in (*alone, {"delta": 0.0}, {})]
        found = [m.score(m.rows(corpus, state, threads=threads)) for m in metrics]
        return np.column_stack(found)

    def take(self, prepared: Floats, rows: Codes) -> Floats:
        """Return the scores of some rows."""
        return prepared[rows]

    def fit(self, prepared: Floats, ratings: Floats, run: FitRun) -> Arrays:
        """Search the grid in bootstrap samples of what people rated."""
        own, rated = prepared[run.rated], ratings[run.rated]
        found = tune_answerability(
            own[:, : len(CLASSES)], own[:, len(CLASSES)], rated, seed=run.seed
        )
        return {name: np.array([round(v, DIGITS)]) for name, v in found.options().items()}

    def predict(self, arrays: Arrays, prepared: Floats) -> Floats:
        """Return the mix, which the metric computes alike."""
        options = _options(arrays)
        weights = np.array([options[name] for name in CLASSES])
        answerable = prepared[:, : len(CLASSES)] @ weights / weights.sum()
        mixed: Floats = options["delta"] * answerable
        return mixed + (1 - options["delta"]) * prepared[:, len(CLASSES)]

    def control(self, corpus: Corpus, prepared: Floats, *, threads: int) -> Floats:  # noqa: ARG002
        """Return the scores, the one of the metric as it was given among them."""
        return prepared

    def header(self) -> dict[str, Any]:
        """Name the metric that is tuned."""
        return {"features": [[identity(self.metric), name] for name in CLASSES]}

    def tuned(self, arrays: Arrays) -> Metric:
        """Return the metric with the weights and delta that were found."""
        return _changed(self.metric, _options(arrays))


def _changed(metric: QMetric, given: Mapping[str, Any]) -> QMetric:
    return replace(metric, **given)


def _options(arrays: Arrays) -> dict[str, float]:
    return {name: float(arrays[name][0]) for name in (*CLASSES, "delta")}
