"""Define the networks that score replies, as torch trains them; `models/networks` runs the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

from nlgauge.train.networks.regressors import LayeredNetwork, lstm_arrays, lstm_read

Tensor = Any
NamedArrays = dict[str, npt.NDArray[np.float32]]


class BilinearModule(torch.nn.Module):  # type: ignore[misc]
    """A bilinear module is a product of two vectors with a matrix between, from the identity on."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.change = torch.nn.Parameter(torch.zeros(width, width))

    def forward(self, left: Tensor, right: Tensor) -> Tensor:
        """Return the product of each pair of rows."""
        return ((left + left @ self.change) * right).sum(dim=-1)

    def arrays(self) -> NamedArrays:
        """Return the weights under the names of a model's file."""
        return {"bilinear.weight": _plain(self.change)}


class QuadraticModule(torch.nn.Module):  # type: ignore[misc]
    """A quadratic module is layers with tanh on two vectors and their bilinear product."""

    def __init__(
        self,
        width: int,
        widths: Sequence[int],
        *,
        gain: float,
        dropout: float,
        input_dropout: float,
    ) -> None:
        super().__init__()
        self.product = BilinearModule(width)
        sizes = [2 * width + 1, *widths, 1]
        self.layers = torch.nn.ModuleList(torch.nn.Linear(a, b) for a, b in pairwise(sizes))
        self.gain, self.share, self.input_share = gain, dropout, input_dropout

    def forward(self, queries: Tensor, replies: Tensor) -> Tensor:
        """Return the logit of each reply."""
        product = self.gain * self.product(queries, replies)[:, None]
        both = functional.dropout(
            torch.cat([queries, replies], dim=1), self.input_share, self.training
        )
        rows = torch.cat([both, product], dim=1)
        for k, layer in enumerate(self.layers):
            if k:
                rows = functional.dropout(torch.tanh(rows), self.share, self.training)
            rows = layer(rows)
        return rows[:, 0]

    def arrays(self) -> NamedArrays:
        """Return the weights under the names of a model's file."""
        return {
            **self.product.arrays(),
            "gain": np.array([self.gain], np.float32),
            **layer_arrays(self.layers),
        }


class RuberModule(torch.nn.Module):  # type: ignore[misc]
    """RUBER's module reads words in both directions, and scores pairs of last states. While it
    learns, the numbers of its words are uncorrelated; its arrays take words as they are.
    """

    def __init__(
        self,
        words: npt.NDArray[np.floating[Any]],
        width: int,
        widths: Sequence[int],
        *,
        dropout: float,
    ) -> None:
        super().__init__()
        shift, spread = whitening(words)
        self.register_buffer("shift", torch.tensor(shift, dtype=torch.float32))
        self.register_buffer("spread", torch.tensor(spread, dtype=torch.float32))
        self.gru = torch.nn.GRU(words.shape[1], width, bidirectional=True, batch_first=True)
        self.scorer = QuadraticModule(
            2 * width, widths, gain=1.0, dropout=dropout, input_dropout=dropout
        )
        self.share = dropout

    def forward(self, texts: Sequence[Tensor], queries: Tensor, replies: Tensor) -> Tensor:
        """Return logits of replies to queries, which are rows of texts given as vectors of words.

        Each text is read once, however many queries it is held against.
        """
        read = self.read(texts)
        found = self.scorer(read[queries.ravel()], read[replies.ravel()])
        return found.view(replies.shape)

    def read(self, texts: Sequence[Tensor]) -> Tensor:
        """Return the last states of texts; 0 of a text without words."""
        lengths = torch.tensor([len(text) for text in texts])
        padded = pad_sequence([text if len(text) else text.new_zeros(1, text.shape[1])
                               for text in texts], batch_first=True)  # fmt: skip
        padded = (padded - self.shift) @ self.spread
        padded = functional.dropout(padded, self.share / 2, self.training)
        packed = pack_padded_sequence(
            padded, lengths.clamp(min=1), batch_first=True, enforce_sorted=False
        )
        _, last = self.gru(packed)
        return torch.cat([last[0], last[1]], dim=1) * (lengths > 0)[:, None]

    def arrays(self) -> NamedArrays:
        """Return the weights under the names of a model's file."""
        found = self.scorer.arrays()
        for name, end in (("gru", ""), ("gru_back", "_reverse")):
            layers = {
                part: [getattr(self.gru, f"{kind}_{own}_l0{end}") for kind in ("weight", "bias")]
                for part, own in (("input", "ih"), ("recurrent", "hh"))
            }
            weight, bias = layers["input"]
            moved = weight @ self.spread.T
            layers["input"] = [moved, bias - moved @ self.shift]
            for part, (weight, bias) in layers.items():
                found[f"{name}.{part}.weight"] = _plain(weight)
                found[f"{name}.{part}.bias"] = _plain(bias)
        return found


class TurnModule(torch.nn.Module):  # type: ignore[misc]
    """A turn module reads turns in both directions twice; see `TurnReader`. Vectors of utterances
    are projected to their main axes at first.
    """

    def __init__(
        self,
        utterances: npt.NDArray[np.floating[Any]],
        width: int,
        hidden: int,
        *,
        dropout: float,
    ) -> None:
        super().__init__()
        self.projection = torch.nn.Linear(utterances.shape[1], width)
        shift, axes = main_axes(utterances, width)
        with torch.no_grad():
            self.projection.weight.copy_(torch.tensor(axes))
            self.projection.bias.copy_(torch.tensor(-axes @ shift))
        half = width // 2
        self.first = torch.nn.LSTM(width, half, bidirectional=True, batch_first=True)
        self.second = torch.nn.LSTM(2 * half, half, bidirectional=True, batch_first=True)
        self.joined = torch.nn.Linear(2 * half, width)
        self.network = LayeredNetwork(4 * width, [hidden], dropout=dropout, input_dropout=dropout)
        self.share = dropout

    def forward(self, turns: Sequence[Tensor], replies: Tensor) -> Tensor:
        """Return logits of replies, and their products with what was read of the turns: [texts,
        candidates, 2]. Replies are [texts, candidates, inputs], with one list of turns a text.
        """
        small = self.projection(functional.dropout(replies, self.share, self.training))
        lengths = torch.tensor([len(own) for own in turns])
        padded = self.projection(pad_sequence(list(turns), batch_first=True))
        read = padded
        for layer in (self.first, self.second):
            read = lstm_read(layer, read, lengths)
        mask = torch.arange(read.shape[1])[None] < lengths[:, None]
        most = read.masked_fill(~mask[:, :, None], -torch.inf).amax(dim=1)
        context = self.joined(most)[:, None, :].expand_as(small)
        parts = [context, small, (context - small).abs(), context * small]
        rows = torch.cat(parts, dim=2)
        logits = self.network(rows.flatten(0, 1)).view(rows.shape[:2])
        return torch.stack([logits, parts[3].sum(dim=2)], dim=2)

    def arrays(self) -> NamedArrays:
        """Return the weights under the names of a model's file."""
        found = {**lstm_arrays(self.first, "first"), **lstm_arrays(self.second, "second")}
        for name in ("projection", "joined"):
            layer = getattr(self, name)
            found[f"{name}.weight"] = _plain(layer.weight)
            found[f"{name}.bias"] = _plain(layer.bias)
        return {**found, **self.network.arrays()}


def whitening(words: npt.NDArray[np.floating[Any]]) -> tuple[Any, Any]:
    """Return the mean of vectors and the matrix that makes their numbers uncorrelated and about as
    large as each other; directions in which words hardly differ are not blown up.
    """
    shift = words.mean(axis=0, dtype=np.float64)
    values, axes = np.linalg.eigh(np.cov(words - shift, rowvar=False, bias=True))
    scale = np.sqrt(np.maximum(values, 0) + 0.01 * values.mean() + 1e-12)
    return shift, axes / scale @ axes.T


def main_axes(vectors: npt.NDArray[np.floating[Any]], width: int) -> tuple[Any, Any]:
    """Return the mean of vectors and their main axes, as rows, so long that a number is about 1."""
    shift = vectors.mean(axis=0, dtype=np.float64)
    values, axes = np.linalg.eigh(np.cov(vectors - shift, rowvar=False, bias=True))
    return shift, axes[:, ::-1][:, :width].T / np.sqrt(values[::-1][:width].mean() + 1e-12)


def layer_arrays(layers: Any, name: str = "layer") -> NamedArrays:
    """Return the weights of linear layers under the names of a model's file."""
    found = {}
    for k, layer in enumerate(layers):
        found[f"{name}.{k}.weight"] = _plain(layer.weight)
        found[f"{name}.{k}.bias"] = _plain(layer.bias)
    return found


def _plain(tensor: Tensor) -> npt.NDArray[np.float32]:
    found: npt.NDArray[np.float32] = tensor.detach().numpy().copy()
    return found
