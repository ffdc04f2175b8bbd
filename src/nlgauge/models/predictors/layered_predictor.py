"""Predict by a feed-forward network on few features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.models.predictors.predictor import Arrays, Scaler, matrix, vector


@dataclass(frozen=True, eq=False)
class LayeredPredictor:
    """A layered predictor is linear layers with ReLU between them, and one number at the end."""

    scaler: Scaler
    layers: Sequence[tuple[Floats, Floats]]  # weights [outputs, inputs] and biases [outputs]

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> LayeredPredictor:
        """Rebuild the predictor that `arrays` made ready for a file."""
        count = sum(name.startswith("layer.") for name in arrays) // 2
        layers = [
            (matrix(arrays, f"layer.{k}.weight"), vector(arrays, f"layer.{k}.bias"))
            for k in range(count)
        ]
        inputs = len(arrays.get("shift", ()))
        for weight, bias in layers:
            if weight.shape != (len(bias), inputs):
                raise DataError(
                    f"a layer of the model has {weight.shape} weights, {len(bias)} biases"
                )
            inputs = len(bias)
        if inputs != 1 or not layers:
            raise DataError(f"the model's last layer has {inputs} outputs, not one")
        return cls(Scaler.from_arrays(arrays), layers)

    def predict(self, features: Floats) -> Floats:
        """Return the output of the last layer."""
        values = self.scaler(features)
        for k, (weight, bias) in enumerate(self.layers):
            values = np.maximum(values, 0) if k else values
            # einsum, not a matrix product: a row's sum is the same whatever stands beside it.
            values = np.einsum("ij,kj->ik", np.ascontiguousarray(values), weight) + bias
        return values[:, 0]

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a file, in single precision."""
        found = self.scaler.arrays()
        for k, (weight, bias) in enumerate(self.layers):
            found[f"layer.{k}.weight"] = weight.astype(np.float32)
            found[f"layer.{k}.bias"] = bias.astype(np.float32)
        return found
