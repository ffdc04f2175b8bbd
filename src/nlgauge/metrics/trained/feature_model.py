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
from nlgauge.core.signature import identity, shortened
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.features import Feature, FeatureMetric, feature_values
from nlgauge.metrics.trained.sentence_columns import COSINES, sentence_columns
from nlgauge.models.files.shipped import shipped_model
from nlgauge.models.files.trained_model import TrainedModel, read_model
from nlgauge.models.predictors.common_sense import IDENTICAL, CommonSense
from nlgauge.models.predictors.predictor import Arrays, Predictor
from nlgauge.models.predictors.vector_summary import VectorSummary

MODEL = "file of `nlgauge train`; none: the model that ships"
_SENSE = "sense."
_SENTENCES = "sentences."
RATINGS = "ratings"  # mean and deviation of the ratings, which the trainer adds to every file


@dataclass(frozen=True, eq=False)
class FeatureModel:
    """A feature model is a predictor of standardised ratings, corrected by common sense."""

    predictor: Predictor
    sense: CommonSense | None
    mean: float = 0.0  # of the ratings that it was fitted to
    deviation: float = 1.0
    sentences: VectorSummary | None = None  # of the last columns, if these are vectors

    @classmethod
    def from_arrays(cls, arrays: Arrays, kind: type[Any]) -> FeatureModel:
        """Rebuild the model whose predictor is of this kind."""
        sense, sentences = within(arrays, _SENSE), within(arrays, _SENTENCES)
        parts = (_SENSE, _SENTENCES, RATINGS)
        own = {k: v for k, v in arrays.items() if not k.startswith(parts)}
        mean, deviation = np.asarray(arrays.get(RATINGS, (0.0, 1.0)), np.float64).tolist()
        corrected = CommonSense.from_arrays(sense) if sense else None
        summary = VectorSummary.from_arrays(sentences) if sentences else None
        return cls(kind.from_arrays(own), corrected, mean, deviation, summary)

    def joined(self, columns: Floats) -> Floats:
        """Return what predictor and common sense look at: vectors are summed up in one column."""
        return columns if self.sentences is None else self.sentences.joined(columns)

    def predict(self, columns: Floats) -> Floats:
        """Return predictions on the scale of the ratings."""
        features = self.joined(columns)
        found = self.predictor.predict(features)
        if self.sense is not None:
            found = self.sense.corrected(found, features)
        predicted: Floats = self.mean + self.deviation * found
        return predicted

    def of_a_copy(self) -> float:
        """Return the rating of what is surely a copy, if common sense was taught; else none."""
        return -np.inf if self.sense is None else self.mean + self.deviation * IDENTICAL

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a file; the trainer adds those of the ratings."""
        sense = {} if self.sense is None else self.sense.arrays()
        sentences = {} if self.sentences is None else self.sentences.arrays()
        return {
            **self.predictor.arrays(),
            **{_SENSE + k: v for k, v in sense.items()},
            **{_SENTENCES + k: v for k, v in sentences.items()},
        }


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

    def reads_sentences(self) -> bool:
        """Return whether the model looks at sentence vectors, too."""
        return False

    def columns(self, features: Floats, corpus: Corpus, *, threads: int) -> Floats:
        """Return what the model looks at: features of metrics, then sentences if it reads them."""
        if not self.reads_sentences():
            return features
        return np.hstack([features, sentence_columns(corpus, threads=threads)])

    def segment_rows(self, corpus: Corpus, state: list[Any], *, threads: int) -> Floats:
        """Compute the columns: the score, 1, the features, without numbers of vectors."""
        features = feature_values(self.features(), self.terms(), state, corpus, threads=threads)
        columns = self.columns(features, corpus, threads=threads)
        shown = columns[:, : len(self.feature_names())]
        return np.column_stack([self.predicted(columns), np.ones(len(corpus)), shown])

    def feature_names(self) -> list[str]:
        """Return the names of the features, as the parts are called."""
        return [*super().feature_names(), *(COSINES if self.reads_sentences() else ())]

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


def _without_defaults(features: list[tuple[str, str | None]]) -> list[tuple[str, str | None]]:
    return [(shortened(metric), part) for metric, part in features]


@lru_cache(maxsize=32)
def _check_features(file: TrainedModel, metric: LearnedMetric) -> None:
    ours = [(identity(term), part) for term, part in metric.looked_at()]
    # An option that a metric got since then has its default: it changes nothing.
    if _without_defaults(file.features) == _without_defaults(ours):
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
