"""Predict ratings by reading two texts against each other: enhanced sequential inference (Chen et
al., 2017), as Mathur et al. (2019) use it for translations. It needs no torch.

Both texts are read in both directions, every piece is compared with the pieces of the other text
that it is like, and what came of this is read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Floats, checked_threads, native
from nlgauge.models.networks.packed_layers import Arrays, PaddedLayer, Singles, unpacked_arrays

PIECES = 8192  # whose comparisons are in memory at once
LSTM = ("input", "recurrent", "bias", "back_input", "back_recurrent", "back_bias")
Starts = npt.NDArray[np.int64]


class ESIMNetwork:
    """An ESIM network is the weights of its layers, ready to run."""

    def __init__(self, arrays: Arrays, inputs: int) -> None:
        found = unpacked_arrays(arrays)
        self.inputs, self.width = inputs, found["first.recurrent"].shape[1]
        self._first = lstm_of(found, "first", inputs, self.width)
        self._compared = PaddedLayer(found, "compared", 8 * self.width)
        self._second = lstm_of(found, "second", self._compared.outputs, self.width)
        self._hidden = PaddedLayer(found, "hidden", 8 * self.width)
        self._output = PaddedLayer(found, "output", self._hidden.outputs)
        if self._output.outputs != 1:
            raise ValueError(f"it has {self._output.outputs} outputs, not one")

    def read(self, texts: Sequence[Singles], *, threads: int = 1) -> list[Singles]:
        """Read each text, given as the vectors of its pieces, by itself: [pieces, 2 * width]."""
        starts = _starts([len(text) for text in texts])
        rows = np.ascontiguousarray(np.concatenate(texts), np.float32)
        found = self._first(rows, starts, threads=checked_threads(threads))
        return np.split(found, starts[1:-1])

    def predict(
        self,
        texts: Sequence[Singles],
        left: Sequence[int],
        right: Sequence[int],
        *,
        threads: int = 1,
    ) -> Floats:
        """Return what people would say of pairs of texts that were read, given by their numbers."""
        threads = checked_threads(threads)
        found = [np.empty(0)]
        for pairs in _chunks([len(text) for text in texts], left, right):
            compared: list[Singles] = []
            for i, j in pairs:
                compared += _compared(texts[i], texts[j])
            starts = _starts([len(rows) for rows in compared])
            rows = self._compared(np.concatenate(compared), threads=threads)
            read = self._second(np.maximum(rows, 0), starts, threads=threads)
            pooled = np.concatenate(_pooled(read, starts), axis=1).reshape(len(pairs), -1)
            hidden = np.maximum(self._hidden(pooled, threads=threads), 0)
            found.append(self._output(hidden, threads=threads)[:, 0].astype(np.float64))
        return np.concatenate(found)


def lstm_of(arrays: Mapping[str, Singles], name: str, inputs: int, width: int) -> native.BiLstm:
    """Return the reader in both directions of a file; raises ValueError if arrays do not fit."""
    own = [np.ascontiguousarray(arrays[f"{name}.{part}"]) for part in LSTM]
    shapes = [(4 * width, inputs), (4 * width, width), (4 * width,)] * 2
    if [array.shape for array in own] != shapes:
        raise ValueError(f"{name}: its arrays do not fit each other")
    return native.BiLstm(*own)


def _starts(lengths: Sequence[int]) -> Starts:
    return np.cumsum([0, *lengths], dtype=np.int64)


def _chunks(
    lengths: Sequence[int], left: Sequence[int], right: Sequence[int]
) -> Iterator[list[tuple[int, int]]]:
    """Yield pairs that have so many pieces together that they fit in memory."""
    pairs: list[tuple[int, int]] = []
    pieces = 0
    for i, j in zip(left, right, strict=True):
        own = lengths[i] + lengths[j]
        if pairs and pieces + own > PIECES:
            yield pairs
            pairs, pieces = [], 0
        pairs.append((i, j))
        pieces += own
    if pairs:
        yield pairs


def _compared(hyp: Singles, ref: Singles) -> tuple[Singles, Singles]:
    """Return [a; ã; a - ã; a * ã] of both texts: ã is the mean of what the other text has, by
    how like it is.
    """
    alike = hyp @ ref.T
    return (
        _enhanced(hyp, _weights(alike) @ ref),
        _enhanced(ref, _weights(np.ascontiguousarray(alike.T)) @ hyp),
    )


def _enhanced(own: Singles, other: Singles) -> Singles:
    return np.concatenate([own, other, own - other, own * other], axis=1)


def _weights(alike: Singles) -> Singles:
    raised = np.exp(alike - alike.max(axis=1, keepdims=True))
    weights: Singles = raised / raised.sum(axis=1, keepdims=True)
    return weights


def _pooled(rows: Singles, starts: Starts) -> list[Singles]:
    """Return the mean and the largest numbers of each text's rows."""
    sums: Singles = np.add.reduceat(rows, starts[:-1], axis=0)
    means = sums / np.diff(starts).astype(np.float32)[:, None]
    return [means, np.maximum.reduceat(rows, starts[:-1], axis=0)]
