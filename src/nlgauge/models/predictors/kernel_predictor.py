"""Predict by similarity to training rows: support vectors with a radial kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Floats
from nlgauge.models.predictors.predictor import Arrays, Scaler, matrix, vector

_ROWS = 256  # of which distances are in memory at once


@dataclass(frozen=True, eq=False)
class KernelPredictor:
    """A kernel predictor adds up exp(-gamma · squared distance) to its vectors, each weighted."""

    scaler: Scaler
    vectors: Floats  # [vectors, features], scaled
    weights: Floats  # [vectors]
    intercept: float
    gamma: float

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> KernelPredictor:
        """Rebuild the predictor that `arrays` made ready for a file."""
        intercept, gamma = vector(arrays, "constants").tolist()
        vectors, weights = matrix(arrays, "vectors"), vector(arrays, "weights")
        return cls(Scaler.from_arrays(arrays), vectors, weights, intercept, gamma)

    def predict(self, features: Floats) -> Floats:
        """Return the weighted sums of similarities."""
        scaled = np.ascontiguousarray(self.scaler(features))
        own = np.einsum("ij,ij->i", self.vectors, self.vectors)
        found = np.empty(len(scaled))
        for start in range(0, len(scaled), _ROWS):
            rows = scaled[start : start + _ROWS]
            # einsum, not a matrix product: a row's sum is the same whatever stands beside it.
            products = np.einsum("ij,kj->ik", rows, self.vectors)
            squares = np.einsum("ij,ij->i", rows, rows)[:, None] + own - 2 * products
            similar = np.exp(-self.gamma * np.maximum(squares, 0))
            found[start : start + _ROWS] = np.einsum("ik,k->i", similar, self.weights)
        return found + self.intercept

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a file; vectors in single precision, in which they were fitted."""
        return {
            **self.scaler.arrays(),
            "vectors": self.vectors.astype(np.float32),
            "weights": self.weights,
            "constants": np.array([self.intercept, self.gamma]),
        }
