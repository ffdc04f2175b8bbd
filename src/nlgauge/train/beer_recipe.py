"""Fit the weights of BEER to ratings: by ranks, as its authors did, or by regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.best_reference import ReferencePairs
from nlgauge.data.corpus import Corpus
from nlgauge.data.labels import Codes
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.beer import BEER
from nlgauge.metrics.trained.beer_model import SHIPPED, find_beer_model
from nlgauge.metrics.trained.feature_model import FeatureModel
from nlgauge.metrics.trained.learned_beer import LearnedBeer, feature_names
from nlgauge.models.predictors.linear_predictor import LinearPredictor
from nlgauge.models.predictors.predictor import Arrays, Scaler
from nlgauge.train.feature_recipe import fit_sense
from nlgauge.train.fits import fit_ranking, fit_ridge
from nlgauge.train.ranked_pairs import ranked_pairs
from nlgauge.train.recipe import FitRun, Recipe

PENALTY = 200.0  # of the regression; by folds of wmt15, 50 to 800 are as good


@dataclass(frozen=True, eq=False)
class PairFeatures:
    """These are the features of hypotheses with each of their references."""

    values: Floats  # [pairs, features]
    pairs: ReferencePairs
    best: Codes  # by row: the pair that the public weights find best

    def take(self, rows: Codes) -> PairFeatures:
        """Return the features of some rows."""
        counts, first = self.pairs.counts[rows], self.pairs.first[rows]
        pairs = ReferencePairs.counted(counts)
        own = np.repeat(first - pairs.first, counts) + np.arange(counts.sum())
        best = self.best[rows] - first + pairs.first
        return PairFeatures(self.values[own], pairs, best)

    @property
    def rows(self) -> Floats:
        """Return the features of each row with its best reference."""
        return self.values[self.best]


class BeerRecipe(Recipe[PairFeatures]):
    """BEER is learnt from pairs of a better and a worse output, or from the ratings themselves.

    Of several references, a row is learnt with the one that the public weights prefer.
    """

    metric: BEER
    choices: ClassVar = {"learn": ("ranking", "regression"), "features": ("all", "beer-2.0")}

    @property
    def first(self) -> bool:
        """Return whether features of the first BEER were asked for."""
        return self.chosen["features"] == "all"

    def prepare(self, corpus: Corpus, *, threads: int) -> PairFeatures:
        """Compute the features of all pairs of texts."""
        self.metric.check_inputs(corpus)
        values = self.metric.features(corpus, first=self.first, threads=threads)
        pairs = ReferencePairs.of(corpus.references)
        public = find_beer_model(SHIPPED[0])
        best = pairs.chosen(public.predict(public.chosen(values)))
        return PairFeatures(self._empty().chosen(values), pairs, best)

    def take(self, prepared: PairFeatures, rows: Codes) -> PairFeatures:
        """Return the features of some rows."""
        return prepared.take(rows)

    def fit(self, prepared: PairFeatures, ratings: Floats, run: FitRun) -> Arrays:
        """Fit the weights to what people rated, and common sense to all rows."""
        features, rated = prepared.rows, run.rated
        fit = _ranked if self.chosen["learn"] == "ranking" else _regressed
        fitted = fit(features[rated], ratings[rated], run)
        return FeatureModel(fitted, fit_sense(features, run)).arrays()

    def predict(self, arrays: Arrays, prepared: PairFeatures) -> Floats:
        """Return the scores, each with the best reference."""
        model = LearnedBeer.from_arrays(feature_names(first=self.first), arrays)
        return prepared.pairs.best(model.predict(prepared.values))

    def control(self, corpus: Corpus, prepared: PairFeatures, *, threads: int) -> Floats:  # noqa: ARG002
        """Return the features of each row with its best reference."""
        return prepared.rows

    def header(self) -> dict[str, Any]:
        """Name the features, and how weights were learnt."""
        words, names = self.metric.words(), feature_names(first=self.first)
        return {
            "features": [[words, name] for name in names],
            "predictor": LinearPredictor.__name__,
            "settings": self.chosen,
        }

    def _empty(self) -> LearnedBeer:
        names = feature_names(first=self.first)
        ones = np.ones(len(names))
        predictor = LinearPredictor(Scaler(0 * ones, ones), ones, 0.0)
        return LearnedBeer(names, FeatureModel(predictor, None))


def _regressed(features: Floats, ratings: Floats, run: FitRun) -> LinearPredictor:
    """Return the regression on differences to the means of parts: these differ in more than
    quality, and figures are about what is within them.
    """
    codes = run.parts.codes[run.rated]
    near = features.copy(), ratings.copy()
    for values in near:
        for k in np.unique(codes).tolist():
            values[codes == k] += values.mean(axis=0) - values[codes == k].mean(axis=0)
    return fit_ridge(*near, penalty=PENALTY)


def _ranked(features: Floats, ratings: Floats, run: FitRun) -> LinearPredictor:
    """Return what ranks pairs, stretched so that it predicts ratings as well as it can."""
    scaler = Scaler.standard(features)
    scaled = scaler(features)
    better, worse = ranked_pairs(ratings, run)
    weights = fit_ranking(scaled[better], scaled[worse])
    found = scaled @ weights
    slope = found @ (ratings - ratings.mean()) / max(found @ found, 1e-12)
    return LinearPredictor(scaler, slope * weights, float(ratings.mean()))
