"""Predict ratings from the vectors of two sentences, as RUSE does (Shimanaka et al., 2018)."""

from __future__ import annotations

import numpy as np

from nlgauge.kernels import Floats, checked_threads
from nlgauge.models.networks.packed_layers import Arrays, PaddedLayer, Singles, unpacked_arrays

PARTS = 4  # both vectors, their distances and their products
_ROWS = 4096  # pairs whose features are in memory at once


def pair_features(hyps: Floats, refs: Floats) -> Singles:
    """Return [h; r; |h - r|; h * r] of vectors of length 1: [pairs, 4 * width].

    All are stretched by the root of the width, so that numbers of a vector are about 1.
    """
    scale = np.sqrt(hyps.shape[1])
    parts = [hyps, refs, np.abs(hyps - refs), hyps * refs * scale]
    return np.asarray(np.concatenate(parts, axis=1) * scale, np.float32)


class SentenceRegressor:
    """A sentence regressor is layers with ReLU between them, on features of two vectors."""

    def __init__(self, arrays: Arrays, width: int) -> None:
        found = unpacked_arrays(arrays)
        count = sum(name.endswith(".weight") for name in found)
        self._layers: list[PaddedLayer] = []
        inputs = PARTS * width
        for k in range(count):
            layer = PaddedLayer(found, f"layer.{k}", inputs)
            self._layers.append(layer)
            inputs = layer.outputs
        if inputs != 1:
            raise ValueError(f"its last layer has {inputs} outputs, not one")

    def predict(self, hyps: Floats, refs: Floats, *, threads: int = 1) -> Floats:
        """Return what people would say of pairs of sentences, which does not depend on others."""
        threads = checked_threads(threads)
        found = np.empty(len(hyps))
        for at in range(0, len(hyps), _ROWS):
            rows = pair_features(hyps[at : at + _ROWS], refs[at : at + _ROWS])
            for k, layer in enumerate(self._layers):
                rows = layer(np.maximum(rows, 0) if k else rows, threads=threads)
            found[at : at + _ROWS] = rows[:, 0]
        return found
