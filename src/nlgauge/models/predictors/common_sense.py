"""Correct predictions by common sense: a copy of the reference is as good as can be, and what is
empty, cut off, shuffled or about something else is bad.

No system writes such texts, so ratings do not teach what to say of them. A classifier of features
tells them from what systems write. Where it is not sure, nothing is corrected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Floats
from nlgauge.models.predictors.predictor import Arrays, Scaler, matrix, vector

# What a text may be, and by how many standard deviations of ratings it is corrected if that is
# sure. Not every model knows all: damaged ones are copies of the reference with a wrong word.
CLASSES = {"written": 0.0, "identical": 2.0, "broken": -4.0, "damaged": -2.0}
SURE = 0.5  # probability from which on a text is corrected downwards


@dataclass(frozen=True, eq=False)
class CommonSense:
    """Common sense is a softmax over scaled features and their squares."""

    scaler: Scaler
    weights: Floats  # [the first classes, 2 · features]
    biases: Floats  # [classes]

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> CommonSense:
        """Rebuild what `arrays` made ready for a file."""
        weights, biases = matrix(arrays, "weights"), vector(arrays, "biases")
        return cls(Scaler.from_arrays(arrays), weights, biases)

    def probabilities(self, features: Floats) -> Floats:
        """Return how probable each class is: [rows, classes]."""
        inputs = np.ascontiguousarray(with_squares(self.scaler(features)))
        logits = np.einsum("ij,kj->ik", inputs, self.weights) + self.biases
        found = np.exp(logits - logits.max(axis=1, keepdims=True))
        probable: Floats = found / found.sum(axis=1, keepdims=True)
        return probable

    def correction(self, features: Floats) -> Floats:
        """Return what to add to standardised predictions: [rows]."""
        corrected = np.zeros(len(features))
        for probable, change in zip(self.probabilities(features).T, CLASSES.values(), strict=False):
            sure = probable if change > 0 else np.maximum(0, (probable - SURE) / (1 - SURE))
            corrected = corrected + change * sure
        return corrected

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a file."""
        return {**self.scaler.arrays(), "weights": self.weights, "biases": self.biases}


def with_squares(scaled: Floats) -> Floats:
    """Return features and their squares; far from all that is known, they grow no further."""
    near = np.clip(scaled, -10, 10)
    return np.hstack([near, near * near])
