"""Fit gauge: a linear and a radial predictor side by side, and networks beside both."""

from __future__ import annotations

from typing import Any

import numpy as np

from nlgauge.kernels import Floats
from nlgauge.metrics.trained.gauge import NETWORKS, Gauge
from nlgauge.models.predictors.ensemble_predictor import EnsembleMember, EnsemblePredictor
from nlgauge.models.predictors.linear_predictor import LinearPredictor
from nlgauge.models.predictors.predictor import Predictor, Scaler
from nlgauge.train.feature_recipe import WIDE, FeatureRecipe, fit_blend
from nlgauge.train.fits import fit_ridge
from nlgauge.train.recipe import FitRun
from nlgauge.train.synthetic import DAMAGED, DISAGREEING, KINDS

RIDGE = 100.0  # penalty of a squared weight; chosen on language pairs of wmt15, as all here


class GaugeRecipe(FeatureRecipe):
    """The predictor is an ensemble.

    Networks were fitted to ratings themselves, maybe to these, so that their weight is fixed: a fit
    would trust them too much.
    """

    metric: Gauge

    def __init__(self, metric: Any, **chosen: str) -> None:
        super().__init__(metric, **chosen)
        # What sees an error in one word, networks that read both texts and the language model, is
        # not among the shared inputs: there, too much of what systems write would be suspected.
        sees_errors = self.metric.inputs == "all"
        more = (DAMAGED, DISAGREEING) if sees_errors else (DAMAGED,)
        self.kinds = (*KINDS, *more)  # type: ignore[misc]
        self.counts = {DAMAGED: 4.0} if sees_errors else {}

    def predictor(self, features: Floats, ratings: Floats, run: FitRun) -> Predictor:  # noqa: ARG002
        """Fit the members, and the scale of what they say together."""
        names = [metric.info.name for metric, _ in self.metric.looked_at()]
        networks = [name for name in names if name in NETWORKS]
        width = features.shape[1] - len(networks)  # networks are the last
        own = features[:, :width]
        fitted: list[tuple[str, Predictor, float]] = [
            ("linear", fit_ridge(own, ratings, penalty=RIDGE), 0.5),
            ("kernel", fit_blend(own, ratings, epsilon=WIDE), 0.5),
        ]
        members = [_member(*entry, features, slice(0, width)) for entry in fitted]
        for k, name in enumerate(networks, width):
            column = slice(k, k + 1)
            said = LinearPredictor(Scaler.standard(features[:, column]), np.ones(1), 0.0)
            members.append(_member("linear", said, NETWORKS[name], features, column))
        total = EnsemblePredictor(members, 1.0).predict(features)
        return EnsemblePredictor(members, float(total @ ratings / (total @ total)))


def _member(
    kind: str, predictor: Predictor, weight: float, features: Floats, columns: slice
) -> EnsembleMember:
    said = predictor.predict(np.ascontiguousarray(features[:, columns]))
    return EnsembleMember(kind, predictor, columns, float(said.mean()), float(said.std()), weight)
