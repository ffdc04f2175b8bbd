"""Score replies by small networks on vectors of what was said. They need no torch.

Every row is computed by itself: it does not depend on the rows beside it, to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Floats, checked_threads
from nlgauge.models.networks.packed_layers import Arrays, PaddedLayer, Singles, unpacked_arrays

Numbers = TypeVar("Numbers", bound=npt.NDArray[np.floating[Any]])
CHANGE = "bilinear"  # a matrix without the identity, which is added: changes of it are small
_TEXTS = 2048  # texts that are read at once


class Bilinear:
    """A bilinear form is a product of two vectors with a matrix between them."""

    def __init__(self, arrays: Mapping[str, Singles], width: int, name: str = CHANGE) -> None:
        change = arrays[f"{name}.weight"]
        if change.shape != (width, width):
            raise ValueError(f"{name}: {change.shape} weights for vectors of {width} numbers")
        whole = change + np.eye(width, dtype=np.float32)
        # A layer multiplies from the other side.
        layer = {"it.weight": np.ascontiguousarray(whole.T), "it.bias": np.zeros(width, np.float32)}
        self._layer = PaddedLayer(layer, "it", width)

    def __call__(self, left: Floats, right: Floats, *, threads: int) -> Floats:
        """Return the product of each pair of rows."""
        moved = self._layer(np.asarray(left, np.float32), threads=checked_threads(threads))
        found: Floats = np.einsum("ij,ij->i", moved.astype(np.float64), right)
        return found


class QuadraticScorer:
    """RUBER's scorer is layers with tanh on two vectors and their bilinear product, and a logit."""

    def __init__(self, arrays: Arrays, width: int) -> None:
        found = unpacked_arrays(arrays)
        self._product = Bilinear(found, width)
        self._gain = float(found["gain"][0])
        self._layers = layers_of(found, 2 * width + 1)

    def predict(self, queries: Floats, replies: Floats, *, threads: int = 1) -> Floats:
        """Return logits of replies to queries."""
        product = self._gain * self._product(queries, replies, threads=threads)
        rows = np.concatenate([queries, replies, product[:, None]], axis=1)
        return run_layers(self._layers, rows, np.tanh, threads=threads)


class GruReader:
    """A GRU reader reads texts, given as the vectors of their words, in both directions; what
    stays of each are its two last states.
    """

    def __init__(self, arrays: Mapping[str, Singles], inputs: int) -> None:
        self.inputs = inputs
        self.width = arrays["gru.recurrent.weight"].shape[1]
        self._sides = [
            (
                PaddedLayer(arrays, f"{name}.input", inputs),
                PaddedLayer(arrays, f"{name}.recurrent", self.width),
            )
            for name in ("gru", "gru_back")
        ]
        if any(layer.outputs != 3 * self.width for pair in self._sides for layer in pair):
            raise ValueError("its recurrent layers do not fit each other")

    def __call__(self, texts: Sequence[Singles], *, threads: int = 1) -> Floats:
        """Return the last states of texts: [texts, 2 * width]; 0 of a text without words."""
        found = np.zeros((len(texts), 2 * self.width))
        for at in range(0, len(texts), _TEXTS):
            self._read(list(texts[at : at + _TEXTS]), found[at : at + _TEXTS], threads)
        return found

    def _read(self, texts: list[Singles], found: Floats, threads: int) -> None:
        threads = checked_threads(threads)
        lengths = np.array([len(text) for text in texts])
        order = np.argsort(-lengths, kind="stable")
        order = order[lengths[order] > 0]
        if not len(order):
            return
        sizes = lengths[order]
        starts = np.cumsum([0, *sizes])
        words = np.concatenate([texts[k] for k in order])
        for side, (first, recurrent) in enumerate(self._sides):
            given = first(words, threads=threads)
            state = np.zeros((len(order), self.width), np.float32)
            for step in range(int(sizes[0])):
                active = int(np.searchsorted(-sizes, -step, "left"))
                places = starts[1 : active + 1] - 1 - step if side else starts[:active] + step
                old = state[:active]
                state[:active] = _gru(given[places], recurrent(old, threads=threads), old)
            found[order, side * self.width : (side + 1) * self.width] = state


def _gru(given: Singles, kept: Singles, old: Singles) -> Singles:
    """Return new states; gates are reset, update and new, as torch has them."""
    width = old.shape[1]
    reset = sigmoid(given[:, :width] + kept[:, :width])
    update = sigmoid(given[:, width : 2 * width] + kept[:, width : 2 * width])
    new = np.tanh(given[:, 2 * width :] + reset * kept[:, 2 * width :])
    found: Singles = (1 - update) * new + update * old
    return found


def layers_of(arrays: Mapping[str, Singles], inputs: int, name: str = "layer") -> list[PaddedLayer]:
    """Return the linear layers of a network with one output; raises ValueError otherwise."""
    layers: list[PaddedLayer] = []
    while f"{name}.{len(layers)}.weight" in arrays:
        layers.append(PaddedLayer(arrays, f"{name}.{len(layers)}", inputs))
        inputs = layers[-1].outputs
    if inputs != 1:
        raise ValueError(f"its last layer has {inputs} outputs, not one")
    return layers


def run_layers(
    layers: Sequence[PaddedLayer],
    rows: Floats | Singles,
    between: Callable[[Singles], Singles],
    *,
    threads: int,
) -> Floats:
    """Return the one output of each row, with a function between the layers."""
    values = np.asarray(rows, np.float32)
    for k, layer in enumerate(layers):
        values = layer(between(values) if k else values, threads=checked_threads(threads))
    return values[:, 0].astype(np.float64)


def relu(x: Singles) -> Singles:
    """Return what is above 0."""
    found: Singles = np.maximum(x, 0)
    return found


def sigmoid(x: Numbers) -> Numbers:
    """Return 1 / (1 + exp(-x)), which does not overflow."""
    found: Numbers = (0.5 * (1 + np.tanh(0.5 * x))).astype(x.dtype)
    return found
