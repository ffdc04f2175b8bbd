"""Models of BEER that `nlgauge train beer` has fitted: linear in the features of two texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.beer1_features import FIRST_FEATURES
from nlgauge.metrics.trained.beer_features import FEATURES
from nlgauge.metrics.trained.feature_model import FeatureModel
from nlgauge.models.files.trained_model import TrainedModel, read_model
from nlgauge.models.predictors.linear_predictor import LinearPredictor
from nlgauge.models.predictors.predictor import Arrays

LONGEST = 10.0  # a length feature that is larger says no more
_LENGTH = FEATURES.index("length_characters")


@dataclass(frozen=True, eq=False)
class LearnedBeer:
    """The score is 1 / (1 + exp(-z)) of what is predicted, in standard deviations of ratings."""

    names: tuple[str, ...]
    model: FeatureModel

    @classmethod
    def from_arrays(cls, names: Sequence[str], arrays: Arrays) -> LearnedBeer:
        """Rebuild the model of the features with these names."""
        own = {name: array for name, array in arrays.items() if name != "ratings"}
        return cls(tuple(names), FeatureModel.from_arrays(own, LinearPredictor))

    @property
    def first(self) -> bool:
        """Return whether the model looks at the features of the first BEER, too."""
        return len(self.names) > len(FEATURES)

    def chosen(self, matrix: Floats) -> Floats:
        """Return the features as the model takes them: all, with short lengths."""
        return np.minimum(matrix, LONGEST)

    def predict(self, values: Floats) -> Floats:
        """Return the scores of rows of features; a text without characters scores 0, and one of a
        length that is out of all proportion, too.
        """
        scores = 1 / (1 + np.exp(-np.clip(self.model.predict(values), -50, 50)))
        scores[values[:, _LENGTH] >= LONGEST] = 0.0
        return scores


def feature_names(*, first: bool) -> tuple[str, ...]:
    """Return the names of BEER 2.0's features, with or without those of the first BEER."""
    return (*FEATURES, *FIRST_FEATURES) if first else FEATURES


def read_learned_beer(path: str, words: str) -> LearnedBeer:
    """Read a trained model; `words` is how texts are prepared, which must be as it was then."""
    file = read_model(path, "beer")
    names = tuple(part or "" for _, part in file.features)
    if names not in (feature_names(first=False), feature_names(first=True)):
        raise file.unfit(f"it looks at {len(names)} features that are not those of BEER")
    trained = file.features[0][0]
    if trained != words:
        raise DataError(f"{path}: trained with {trained}, and this is {words}; give these options")
    return _rebuilt(names, file)


def _rebuilt(names: Sequence[str], file: TrainedModel) -> LearnedBeer:
    try:
        found = LearnedBeer.from_arrays(names, file.arrays)
    except DataError as error:
        raise file.unfit(str(error)) from None
    size = len(found.model.predictor.arrays()["weights"])
    if size != len(names):
        raise file.unfit(f"it has {size} weights for {len(names)} features")
    return found
