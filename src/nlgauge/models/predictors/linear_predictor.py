"""Predict by a weighted sum of features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Floats
from nlgauge.models.predictors.predictor import Arrays, Scaler, vector


@dataclass(frozen=True, eq=False)
class LinearPredictor:
    """A linear predictor adds up scaled features, each times its weight."""

    scaler: Scaler
    weights: Floats  # [features]
    intercept: float

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> LinearPredictor:
        """Rebuild the predictor that `arrays` made ready for a file."""
        scaler = Scaler.from_arrays(arrays)
        return cls(scaler, vector(arrays, "weights"), float(vector(arrays, "intercept")[0]))

    def contributions(self, features: Floats) -> Floats:
        """Return what each feature adds to the prediction: [rows, features]."""
        added: Floats = self.scaler(features) * self.weights
        return added

    def predict(self, features: Floats) -> Floats:
        """Return the sums of all contributions and the intercept."""
        total = np.full(len(features), self.intercept)
        for column in self.contributions(features).T:
            total = total + column
        return total

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a file."""
        own = {"weights": self.weights, "intercept": np.array([self.intercept])}
        return {**self.scaler.arrays(), **own}
