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

IDENTICAL = 2.5  # the rating of a copy, in standard deviations from the mean
# What a text may be, and the rating that it gets if that is sure, on the same scale. Not every
# model knows all: damaged ones are copies of the reference with a wrong word.
CLASSES = {"written": None, "identical": IDENTICAL, "broken": -2.5, "damaged": -0.5}
SURE = 0.5  # probability from which on a prediction is moved


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

    def corrected(self, predicted: Floats, features: Floats) -> Floats:
        """Return standardised predictions, moved towards the rating of a class as far as it is
        sure, but never from below a bad one or from above a good one: a poor translation that is
        taken for a broken text loses little.
        """
        found = predicted
        for probable, rating in zip(self.probabilities(features).T, CLASSES.values(), strict=False):
            if rating is not None:
                away = rating - found
                wanted = np.maximum(0, away) if rating > 0 else np.minimum(0, away)
                found = found + np.maximum(0, (probable - SURE) / (1 - SURE)) * wanted
        return found

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a file."""
        return {**self.scaler.arrays(), "weights": self.weights, "biases": self.biases}


def with_squares(scaled: Floats) -> Floats:
    """Return features and their squares; far from all that is known, they grow no further."""
    near = np.clip(scaled, -10, 10)
    return np.hstack([near, near * near])
