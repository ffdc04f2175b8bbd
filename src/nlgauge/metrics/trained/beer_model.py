"""The weights of BEER: a linear model of scaled features, and the file that holds them.

    {"kind": "nlgauge BEER model", "intercept": 0.0858, "slope": 0.2051,
     "features": [{"name": "char1_min", "low": 0, "high": 1, "weight": 0.1453}, ...],
     "about": {...}}

A model may have any of `FEATURES`; `low` and `high` are the values that are scaled to 0 and 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.resources import read_resource
from nlgauge.errors import DataError
from nlgauge.io.json_text import parse_json
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.beer_features import FEATURES
from nlgauge.models.files.shipped import shipped_file

KIND = "nlgauge BEER model"
SHIPPED = ("beer-2.0", "beer-2.0-self-trained")
TRAINED = "beer-wmt15"  # fitted to ratings by `nlgauge train beer`
LARGEST = 1e75  # products of three such numbers are finite
_NUMBERS = ("low", "high", "weight")


@dataclass(frozen=True)
class BeerFeature:
    """A feature by name, the range that is scaled to 0..1, and its weight."""

    name: str
    low: float
    high: float
    weight: float


@dataclass(frozen=True)
class BeerModel:
    """intercept + slope · sum of weight · scaled feature, cut off at 0 and 1."""

    features: tuple[BeerFeature, ...]
    intercept: float
    slope: float
    about: Mapping[str, Any] = field(default_factory=dict)

    first: ClassVar[bool] = False  # features of the first BEER are not looked at

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the features."""
        return tuple(feature.name for feature in self.features)

    def chosen(self, matrix: Floats) -> Floats:
        """Return the columns of the features that the model knows, in its order."""
        return matrix[:, [FEATURES.index(feature.name) for feature in self.features]]

    def predict(self, values: Floats) -> Floats:
        """Return the scores of rows of the model's own features: [pairs, features] -> [pairs]."""
        total = np.zeros(len(values))
        # One after the other: a matrix product may round single rows differently from many.
        for column, one in zip(values.T, self.features, strict=True):
            total += (column - one.low) / (one.high - one.low) * one.weight
        return np.clip(self.intercept + self.slope * total, 0.0, 1.0)


def file_of(model: str) -> str:
    """Return the path of a model: of one that comes with nlgauge by its name."""
    if model == TRAINED:
        return str(shipped_file(f"{model}.safetensors"))
    return str(shipped_file(f"{model}.json")) if model in SHIPPED else model


def is_trained(model: str) -> bool:
    """Return whether a model is a file of `nlgauge train`, not one in JSON."""
    if model in SHIPPED:
        return False
    start = read_resource("model", file_of(model))[:9]
    return start[8:] == b"{" and b"\0" in start[:8]  # the size of safetensors' header


def find_beer_model(model: str) -> BeerModel:
    """Read a model by name or from the user's file."""
    path = file_of(model)
    return _read(path, read_resource("model", path))


@lru_cache(maxsize=8)
def _read(path: str, content: bytes) -> BeerModel:
    return _checked(parse_json(content, path, lines=True), path)


def _checked(record: Any, place: str) -> BeerModel:
    if not isinstance(record, dict) or record.get("kind") != KIND:
        raise DataError(
            f"{place}: this is no BEER model; give a file with 'kind': '{KIND}', or one of "
            f"{', '.join(SHIPPED)}"
        )
    found = record.get("features")
    if not isinstance(found, list) or not found or not all(isinstance(f, dict) for f in found):
        raise DataError(f"{place}: features must be a list of objects, at least one")
    names = [feature.get("name") for feature in found]
    for name in names:
        if name not in FEATURES:
            raise DataError(
                f"{place}: there is no feature {name!r:.80}; names are {FEATURES[0]} to "
                f"{FEATURES[-3]}, {FEATURES[-2]} and {FEATURES[-1]}"
            )
        if names.count(name) > 1:
            raise DataError(f"{place}: the feature {name} stands there twice")
    for feature in found:
        if not all(_is_number(feature.get(key)) for key in _NUMBERS):
            raise DataError(f"{place}: {feature['name']} needs the numbers {', '.join(_NUMBERS)}")
        if not feature["low"] < feature["high"]:
            raise DataError(f"{place}: {feature['name']} has a low that is not below its high")
    intercept, slope = record.get("intercept", 0.0), record.get("slope", 1.0)
    if not _is_number(intercept) or not _is_number(slope):
        raise DataError(f"{place}: intercept and slope must be numbers")
    return BeerModel(
        tuple(BeerFeature(f["name"], *(float(f[key]) for key in _NUMBERS)) for f in found),
        float(intercept),
        float(slope),
        record.get("about") or {},
    )


def _is_number(value: Any) -> bool:
    """Return whether a value is a number of a size that cannot make sums infinite."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -LARGEST <= value <= LARGEST
