"""Define the networks that predict ratings from vectors of an encoder, as torch trains them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

Tensor = Any
# Names of torch's LSTM for what the native core takes; it has two biases, which are added up.
_LSTM = {"input": "weight_ih_l0", "recurrent": "weight_hh_l0"}


class LayeredNetwork(torch.nn.Module):  # type: ignore[misc]
    """A layered network is linear layers with ReLU and dropout between them, and one output."""

    def __init__(
        self, inputs: int, widths: Sequence[int], *, dropout: float, input_dropout: float
    ) -> None:
        super().__init__()
        sizes = [inputs, *widths, 1]
        self.layers = torch.nn.ModuleList(torch.nn.Linear(a, b) for a, b in pairwise(sizes))
        self.shares = (input_dropout, *(dropout for _ in widths))

    def forward(self, rows: Tensor) -> Tensor:
        """Return the output of each row."""
        for k, (layer, share) in enumerate(zip(self.layers, self.shares, strict=True)):
            rows = functional.relu(rows) if k else rows
            rows = layer(functional.dropout(rows, share, self.training))
        return rows[:, 0]

    def arrays(self) -> dict[str, npt.NDArray[np.float32]]:
        """Return the weights under the names of a model's file."""
        found = {}
        for k, layer in enumerate(self.layers):
            found[f"layer.{k}.weight"] = layer.weight.detach().numpy().copy()
            found[f"layer.{k}.bias"] = layer.bias.detach().numpy().copy()
        return found


def mean_network(
    networks: Sequence[Mapping[str, npt.NDArray[np.float32]]],
) -> dict[str, npt.NDArray[np.float32]]:
    """Return one layered network that says what several, of the same sizes, say in the mean."""
    from scipy.linalg import block_diag

    last = len(networks[0]) // 2 - 1
    found = {}
    for k in range(last + 1):
        weights = [arrays[f"layer.{k}.weight"] for arrays in networks]
        biases = [arrays[f"layer.{k}.bias"] for arrays in networks]
        # The first layers share inputs; those of the others are side by side.
        joined = np.concatenate(weights) if k == 0 else block_diag(*weights)
        bias = np.concatenate(biases)
        if k == last:
            joined, bias = joined.mean(axis=0, keepdims=True), bias.mean(keepdims=True)
        found[f"layer.{k}.weight"] = joined.astype(np.float32)
        found[f"layer.{k}.bias"] = bias.astype(np.float32)
    return found


class ESIMModule(torch.nn.Module):  # type: ignore[misc]
    """An ESIM module reads two texts against each other; `ESIMNetwork` runs the same."""

    def __init__(self, inputs: int, width: int, *, dropout: float) -> None:
        super().__init__()
        self.share = dropout
        self.first = torch.nn.LSTM(inputs, width, bidirectional=True, batch_first=True)
        self.compared = torch.nn.Linear(8 * width, width)
        self.second = torch.nn.LSTM(width, width, bidirectional=True, batch_first=True)
        self.hidden = torch.nn.Linear(8 * width, width)
        self.output = torch.nn.Linear(width, 1)

    def forward(self, hyps: Sequence[Tensor], refs: Sequence[Tensor]) -> Tensor:
        """Return the output of each pair of texts, given as the vectors of their pieces."""
        count = len(hyps)
        lengths = torch.tensor([len(text) for text in (*hyps, *refs)])
        texts = self._dropped(pad_sequence([*hyps, *refs], batch_first=True))
        read = lstm_read(self.first, texts, lengths)
        longest = read.shape[1]
        mask = torch.arange(longest)[None] < lengths[:, None]
        one, other = read[:count], read[count:]
        alike = one @ other.transpose(1, 2)
        mine = _softmax(alike, mask[count:]) @ other
        theirs = _softmax(alike.transpose(1, 2), mask[:count]) @ one
        both = torch.cat([mine, theirs])
        parts = torch.cat([read, both, read - both, read * both], dim=2)
        compared = self._dropped(functional.relu(self.compared(parts)))
        again = lstm_read(self.second, compared, lengths)
        means = (again * mask[:, :, None]).sum(dim=1) / lengths[:, None]
        most = again.masked_fill(~mask[:, :, None], -torch.inf).amax(dim=1)
        pooled = torch.cat([means, most], dim=1)
        joined = torch.cat([pooled[:count], pooled[count:]], dim=1)
        hidden = functional.relu(self.hidden(self._dropped(joined)))
        found: Tensor = self.output(self._dropped(hidden))[:, 0]
        return found

    def _dropped(self, x: Tensor) -> Tensor:
        return functional.dropout(x, self.share, self.training)

    def arrays(self) -> dict[str, npt.NDArray[np.float32]]:
        """Return the weights under the names of a model's file."""
        state = {name: tensor.detach().numpy().copy() for name, tensor in self.state_dict().items()}
        found = {**lstm_arrays(self.first, "first"), **lstm_arrays(self.second, "second")}
        for name in ("compared", "hidden", "output"):
            for part in ("weight", "bias"):
                found[f"{name}.{part}"] = state[f"{name}.{part}"]
        return found


def lstm_read(lstm: Any, texts: Tensor, lengths: Tensor) -> Tensor:
    """Run an LSTM on padded texts of these lengths."""
    packed = pack_padded_sequence(texts, lengths, batch_first=True, enforce_sorted=False)
    found: Tensor = pad_packed_sequence(lstm(packed)[0], batch_first=True)[0]
    return found


def lstm_arrays(lstm: Any, name: str) -> dict[str, npt.NDArray[np.float32]]:
    """Return the weights of an LSTM in both directions under the names of a model's file."""
    state = {key: tensor.detach().numpy().copy() for key, tensor in lstm.state_dict().items()}
    found = {}
    for back, end in (("", ""), ("back_", "_reverse")):
        for part, own in _LSTM.items():
            found[f"{name}.{back}{part}"] = state[f"{own}{end}"]
        found[f"{name}.{back}bias"] = state[f"bias_ih_l0{end}"] + state[f"bias_hh_l0{end}"]
    return found


def _softmax(alike: Tensor, mask: Tensor) -> Tensor:
    return functional.softmax(alike.masked_fill(~mask[:, None, :], -torch.inf), dim=2)
