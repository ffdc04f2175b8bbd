"""Correct what a network says of two texts by common sense, from few numbers of the same vectors.

Sentence vectors hardly tell a text from its shuffled words, and ratings do not teach what to say of
texts that no system writes. How like two texts are at a low, a middle and the layer looked at, and
their lengths, tell more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Floats
from nlgauge.models.cache.embeddings import EncodedSentences
from nlgauge.models.predictors.common_sense import SURE, CommonSense
from nlgauge.models.predictors.predictor import Arrays, vector

NEAR = 0.002  # distances below this are all alike
_COPY = np.log(NEAR + 1e-6)  # logarithms of distances are below this at all layers for copies only
KINDS = ("written", "identical", "shuffled", "halved", "empty", "unrelated")


def sense_layers(layers: tuple[int, ...]) -> tuple[int, ...]:
    """Return the layers at which texts are compared, for those that a network looks at."""
    return tuple(dict.fromkeys((0, max(layers) // 2, max(layers))))


def sense_features(sentences: EncodedSentences, left: list[int], right: list[int]) -> Floats:
    """Return features of pairs of sentences: logarithms of their distances by layer, of the ratio
    of their lengths, and its size: [pairs, layers + 2].
    """
    columns = np.log(1 + NEAR - sentences.cosines(left, right))
    ratio = np.log((sentences.lengths[left] + 1) / (sentences.lengths[right] + 1))
    return np.stack([*columns, ratio, np.abs(ratio)], axis=1)


@dataclass(frozen=True, eq=False)
class PairSense:
    """Pair sense lifts copies to the best that a network said of rated texts, and lets what is
    broken fall to nearly the worst. Where it is not sure, it changes nothing.
    """

    classifier: CommonSense
    low: float
    high: float

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> PairSense:
        """Rebuild what `arrays` made ready for a file."""
        low, high = vector(arrays, "limits").tolist()
        found = CommonSense.from_arrays(arrays)
        if found.weights.shape != (len(KINDS), 2 * len(found.scaler.shift)):
            raise ValueError(f"common sense has weights of shape {found.weights.shape}")
        return cls(found, low, high)

    def corrected(self, predicted: Floats, features: Floats) -> Floats:
        """Return predictions within what common sense allows."""
        probable = self.classifier.probabilities(features)
        broken = 1 - probable[:, 0] - probable[:, 1]
        sure = np.maximum(0, (broken - SURE) / (1 - SURE))
        copies = (features[:, :-2] < _COPY).all(axis=1)
        rise = np.where(copies, 1.0, probable[:, 1]) * np.maximum(0, self.high - predicted)
        return np.asarray(predicted + rise - sure * np.maximum(0, predicted - self.low))

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a file."""
        return {**self.classifier.arrays(), "limits": np.array([self.low, self.high])}
