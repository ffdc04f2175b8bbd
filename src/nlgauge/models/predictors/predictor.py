"""What a predictor is, and how it is kept in the file of a trained model.

A row's prediction does not depend on the rows beside it, to the last bit: features are added up in
a fixed order, without matrix products, which round single rows differently from many.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from nlgauge.errors import DataError
from nlgauge.kernels import Floats

Arrays = Mapping[str, npt.NDArray[Any]]


class Predictor(Protocol):
    """A predictor turns features into one number a row."""

    def predict(self, features: Floats) -> Floats:
        """Return what is predicted: [rows, features] -> [rows]."""

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all that `from_arrays` needs, under names for a file."""


@dataclass(frozen=True, eq=False)
class Scaler:
    """A scaler moves and stretches features as those of the training rows need it."""

    shift: Floats  # [features]
    scale: Floats

    @classmethod
    def standard(cls, features: Floats) -> Scaler:
        """Return the scaler to mean 0 and standard deviation 1."""
        return cls(features.mean(axis=0), _spread(features.std(axis=0)))

    @classmethod
    def bounded(cls, features: Floats) -> Scaler:
        """Return the scaler to the range from -1 to 1, as LIBSVM's own tool has it."""
        low, high = features.min(axis=0), features.max(axis=0)
        return cls((low + high) / 2, _spread((high - low) / 2))

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Scaler:
        """Take the scaler out of a model's arrays."""
        return cls(vector(arrays, "shift"), vector(arrays, "scale"))

    def __call__(self, features: Floats) -> Floats:
        """Return scaled features: [rows, features]."""
        scaled: Floats = (features - self.shift) / self.scale
        return scaled

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a file."""
        return {"shift": self.shift, "scale": self.scale}


def _spread(found: Floats) -> Floats:
    """Return the spread of features; one that is always the same is left as it is."""
    return np.where(found > 1e-12, found, 1.0)


def vector(arrays: Arrays, name: str) -> Floats:
    """Return an array of one dimension, in double precision."""
    return _array(arrays, name, 1)


def matrix(arrays: Arrays, name: str) -> Floats:
    """Return an array of two dimensions, in double precision."""
    return _array(arrays, name, 2)


def _array(arrays: Arrays, name: str, dimensions: int) -> Floats:
    found = arrays.get(name)
    if found is None or found.ndim != dimensions:
        raise DataError(f"the model has no array {name!r} of {dimensions} dimensions")
    return np.ascontiguousarray(found, np.float64)
