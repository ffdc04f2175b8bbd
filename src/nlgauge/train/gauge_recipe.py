"""Fit gauge: a linear and a radial predictor side by side, and networks beside both."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from nlgauge.kernels import Floats
from nlgauge.metrics.trained.gauge import CROSS, Gauge
from nlgauge.models.predictors.ensemble_predictor import EnsemblePredictor, Member
from nlgauge.models.predictors.linear_predictor import LinearPredictor
from nlgauge.models.predictors.predictor import Predictor, Scaler
from nlgauge.train.feature_recipe import FeatureRecipe, fit_blend
from nlgauge.train.fits import fit_ridge
from nlgauge.train.recipe import FitRun
from nlgauge.train.synthetic import DAMAGED, KINDS

NETWORKS = 0.8  # weight of all networks, where the two predictors together have 1


class GaugeRecipe(FeatureRecipe):
    """The predictor is an ensemble.

    Networks were fitted to ratings themselves, maybe to these, so that their weight is fixed: a fit
    would trust them too much.
    """

    kinds: ClassVar[tuple[str, ...]] = (*KINDS, DAMAGED)
    metric: Gauge

    def predictor(self, features: Floats, ratings: Floats, run: FitRun) -> Predictor:  # noqa: ARG002
        """Fit the members, and the scale of what they say together."""
        networks = len(CROSS) if self.metric.inputs == "all" else 0
        width = features.shape[1] - networks
        own = features[:, :width]
        fitted: list[tuple[str, Predictor, float]] = [
            ("linear", fit_ridge(own, ratings), 0.5),
            ("kernel", fit_blend(own, ratings), 0.5),
        ]
        members = [_member(*entry, features, slice(0, width)) for entry in fitted]
        if networks:
            mean = _mean_of(features[:, width:])
            columns = slice(width, width + networks)
            members.append(_member("linear", mean, NETWORKS, features, columns))
        total = EnsemblePredictor(members, 1.0).predict(features)
        return EnsemblePredictor(members, float(total @ ratings / (total @ total)))


def _member(
    kind: str, predictor: Predictor, weight: float, features: Floats, columns: slice
) -> Member:
    said = predictor.predict(np.ascontiguousarray(features[:, columns]))
    return Member(kind, predictor, columns, float(said.mean()), float(said.std()), weight)


def _mean_of(features: Floats) -> LinearPredictor:
    """Return the mean of standardised features as a predictor."""
    width = features.shape[1]
    return LinearPredictor(Scaler.standard(features), np.full(width, 1 / width), 0.0)
