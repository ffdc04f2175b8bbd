"""Metrics whose predictor was trained on scores and parts of other metrics, by `nlgauge train`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from nlgauge.core import options
from nlgauge.core.options import option
from nlgauge.core.signature import identity
from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.features import Feature, FeatureMetric
from nlgauge.models.files.shipped import shipped_model
from nlgauge.models.files.trained_model import TrainedModel, read_model
from nlgauge.models.predictors.common_sense import CommonSense
from nlgauge.models.predictors.predictor import Arrays, Predictor

MODEL = "file of `nlgauge train`; none: the model that ships"
_SENSE = "sense."
RATINGS = "ratings"  # mean and deviation of the ratings, which the trainer adds to every file


@dataclass(frozen=True, eq=False)
class FeatureModel:
    """A feature model is a predictor of standardised ratings, corrected by common sense."""

    predictor: Predictor
    sense: CommonSense | None
    mean: float = 0.0  # of the ratings that it was fitted to
    deviation: float = 1.0

    @classmethod
    def from_arrays(cls, arrays: Arrays, kind: type[Any]) -> FeatureModel:
        """Rebuild the model whose predictor is of this kind."""
        sense = within(arrays, _SENSE)
        own = {k: v for k, v in arrays.items() if not k.startswith(_SENSE) and k != RATINGS}
        mean, deviation = np.asarray(arrays.get(RATINGS, (0.0, 1.0)), np.float64).tolist()
        corrected = CommonSense.from_arrays(sense) if sense else None
        return cls(kind.from_arrays(own), corrected, mean, deviation)

    def predict(self, features: Floats) -> Floats:
        """Return predictions on the scale of the ratings."""
        found = self.predictor.predict(features)
        if self.sense is not None:
            found = self.sense.corrected(found, features)
        predicted: Floats = self.mean + self.deviation * found
        return predicted

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a file; the trainer adds those of the ratings."""
        sense = {} if self.sense is None else self.sense.arrays()
        return {**self.predictor.arrays(), **{_SENSE + k: v for k, v in sense.items()}}


def within(arrays: Arrays, prefix: str) -> Mapping[str, npt.NDArray[Any]]:
    """Return the arrays whose names start with a prefix, without it."""
    return {k.removeprefix(prefix): v for k, v in arrays.items() if k.startswith(prefix)}


@dataclass(frozen=True, kw_only=True)
class LearnedMetric(FeatureMetric):
    """A metric with a trained predictor; its file must have been made for the same features."""

    predictor_class: ClassVar[type[Any]]

    model: str | None = option(None, MODEL)

    @abstractmethod
    def looked_at(self) -> list[Feature]:
        """Return the features that these options ask for, in the order of columns."""

    def shipped(self) -> str:
        """Return the name of the file that ships for these options."""
        return self.info.name

    def file(self) -> TrainedModel:
        """Read the model, and refuse one for other features."""
        path = self.model or shipped_model(self.info.name, self.shipped())
        found = read_model(path, self.info.name)
        _check_features(found, self)
        return found

    def features(self) -> list[Feature]:
        """Return what the model looks at."""
        self.file()
        return self.looked_at()

    def learned(self) -> FeatureModel:
        """Return the model that scores."""
        kind: Any = self.predictor_class
        return _learned(self.file(), kind)

    def predicted(self, features: Floats) -> Floats:
        """Return what the model says of the features."""
        return self.learned().predict(features)

    def check_resources(self) -> None:
        """Refuse to start without the model, or without what its features need."""
        self.file()
        super().check_resources()

    def resources(self) -> dict[str, str]:
        """Name the model's file, by its content, and what its features need."""
        return {**super().resources(), "model": self.file().name}


@lru_cache(maxsize=16)
def _learned(file: TrainedModel, kind: Any) -> FeatureModel:
    try:
        return FeatureModel.from_arrays(file.arrays, kind)
    except DataError as error:
        raise file.unfit(str(error)) from None


@lru_cache(maxsize=32)
def _check_features(file: TrainedModel, metric: LearnedMetric) -> None:
    ours = [(identity(term), part) for term, part in metric.looked_at()]
    if file.features == ours:
        return
    given = options.encoded(metric, without="model")
    trained = {k: v for k, v in file.header["options"].items() if given.get(k, v) != v}
    if trained:
        wanted = ",".join(f"{name}={value}" for name, value in trained.items())
        raise file.unfit(f"it was trained with {wanted}; say so, {file.metric}(model=...,{wanted})")
    for one, other in zip(file.features, ours, strict=False):
        if one != other:
            raise file.unfit(f"it looks at {one}, and this nlgauge at {other}")
    raise file.unfit(f"it looks at {len(file.features)} features, and this nlgauge at {len(ours)}")
