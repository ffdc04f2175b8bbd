"""Tune METEOR's parameters to ratings or to pairs of outputs, as the authors of METEOR-NEXT did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.metric import Metric
from nlgauge.core.signature import identity
from nlgauge.data.corpus import Corpus
from nlgauge.data.labels import Codes
from nlgauge.kernels import Floats
from nlgauge.metrics.alignment.meteor_next import METEOR15
from nlgauge.metrics.trained.linear import columns_of
from nlgauge.models.predictors.predictor import Arrays
from nlgauge.train.held_out import mean_pearson
from nlgauge.train.ranked_pairs import ranked_pairs
from nlgauge.train.recipe import FitRun
from nlgauge.train.tuning.tuning_recipe import TuningRecipe, search_coordinates

NAMES = ("alpha", "beta", "gamma", "delta")
_TWENTIETHS = tuple(round(0.05 * k, 2) for k in range(21))
_TENTHS = tuple(round(0.1 * k, 1) for k in range(11))
GRIDS = (_TWENTIETHS, tuple(round(0.1 * k, 1) for k in range(1, 31)), _TWENTIETHS, _TWENTIETHS)


class MeteorRecipe(TuningRecipe[Floats]):
    """Alpha, beta, gamma, delta and the weights of modules are searched one after the other.

    The first module keeps its weight, as all weights together change the scale only. Of several
    references, the one counts that is best with the parameters that were given.
    """

    metric: METEOR15
    choices: ClassVar = {"agree": ("ratings", "pairs")}

    def prepare(self, corpus: Corpus, *, threads: int) -> Floats:
        """Count matches and chunks, which do not depend on what is tuned."""
        self.metric.check_inputs(corpus)
        return self.metric.rows(corpus, threads=threads)

    def take(self, prepared: Floats, rows: Codes) -> Floats:
        """Return the counts of some rows."""
        return prepared[rows]

    def fit(self, prepared: Floats, ratings: Floats, run: FitRun) -> Arrays:
        """Search the parameters that agree best with what people rated."""
        rows, rated = prepared[run.rated], ratings[run.rated]
        parts = run.parts.take(run.rated)
        better, worse = ranked_pairs(rated, run)

        def agreement(point: Sequence[float]) -> float:
            scores = self._changed(point).score(rows)
            if self.chosen["agree"] == "pairs":
                above = scores[better] - scores[worse]
                return float((np.sign(above).mean() + 1) / 2)
            found = mean_pearson(scores, rated, parts)
            return 0.0 if np.isnan(found) else found

        start = self.metric.parameters()
        first, *others = start["weights"]
        grids = [*GRIDS, (first,), *([_TENTHS] * len(others))]
        point = [*(start[name][0] for name in NAMES), first, *others]
        best, highest, tried = search_coordinates(point, grids, agreement)
        run.progress(f"{tried} settings tried; the best: {highest:.4f}")
        return {"point": np.array(best)}

    def predict(self, arrays: Arrays, prepared: Floats) -> Floats:
        """Return the scores with the parameters that were found."""
        return self._changed(arrays["point"].tolist()).score(prepared)

    def control(self, corpus: Corpus, prepared: Floats, *, threads: int) -> Floats:  # noqa: ARG002
        """Return the score as it was given, precision, recall and penalty."""
        return columns_of(self.metric, [None, "precision", "recall", "penalty"], prepared)

    def header(self) -> dict[str, Any]:
        """Name the metric, and what it was to agree with."""
        return {"features": [[identity(self.metric), None]], "settings": self.chosen}

    def tuned(self, arrays: Arrays) -> Metric:
        """Return the metric with the parameters that were found."""
        return self._changed(arrays["point"].tolist())

    def _changed(self, point: Sequence[float]) -> METEOR15:
        alpha, beta, gamma, delta, *weights = point
        return replace(
            self.metric, alpha=alpha, beta=beta, gamma=gamma, delta=delta, weights=tuple(weights)
        )
