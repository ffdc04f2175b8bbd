"""Define the network that reads two texts at once, with a linear head for each thing to predict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from nlgauge.models.encoders.bert import Bert
from nlgauge.models.encoders.changes import Arrays, changes, tuned
from nlgauge.models.encoders.pair_encoder import HEAD, PARTS
from nlgauge.models.encoders.pair_pieces import PairPieces
from nlgauge.train.networks.torch_bert import Dropout, Tensor, Tensors, encode, is_tuned, tensors_of

Batch = list[int]  # numbers of pairs that are read together


class PairNetwork:
    """A pair network is an encoder whose layers are trained, and heads on what it makes of pairs.

    A head sees the first piece, the means of both texts, their distance and their product.
    """

    def __init__(self, bert: Bert, heads: Mapping[str, int], *, seed: int) -> None:
        self.weights: Tensors = tensors_of(bert)
        self.shape, self.layers = bert.shape, bert.layers
        self.heads = dict(heads)
        random = torch.Generator().manual_seed(seed)
        width = PARTS * bert.width
        for name, size in heads.items():
            start = torch.randn(size, width, generator=random) * 0.02
            self.weights[f"{HEAD}{name}.weight"] = start
            self.weights[f"{HEAD}{name}.bias"] = torch.zeros(size)
        for name, tensor in self.weights.items():
            tensor.requires_grad_(name.startswith(HEAD) or is_tuned(name))

    def tuned(self, *, heads: bool) -> list[tuple[str, Tensor]]:
        """Return what is trained: the heads, or the encoder."""
        return [
            (name, tensor)
            for name, tensor in self.weights.items()
            if tensor.requires_grad and name.startswith(HEAD) == heads
        ]

    def arrays(self, bert: Bert, bits: int = 4) -> Arrays:
        """Return the arrays of the file: changes to the encoder in few bits, and the heads."""
        found = {
            name: tensor.detach().numpy().copy()
            for name, tensor in self.weights.items()
            if tensor.requires_grad
        }
        heads = {name: array for name, array in found.items() if name.startswith(HEAD)}
        return {**changes(found, bert.weights, bits), **heads}

    def load(self, arrays: Mapping[str, npt.NDArray[Any]], bert: Bert) -> None:
        """Start from the arrays of a file; of its heads, those that this network has, too."""
        known = {name: array for name, array in arrays.items() if name in self.weights}
        with torch.no_grad():
            for name, array in {**tuned(bert.weights, arrays), **known}.items():
                if name in self.weights and self.weights[name].requires_grad:
                    self.weights[name].copy_(torch.from_numpy(np.array(array, np.float32)))

    def features(self, pairs: Sequence[PairPieces], dropout: Dropout) -> Tensor:
        """Return what heads see of each pair, [pairs, 5 * width]."""
        size = max(map(len, pairs))
        ids, kinds = (torch.zeros(len(pairs), size, dtype=torch.int64) for _ in range(2))
        sides = torch.zeros(2, len(pairs), size)
        mask = torch.zeros(len(pairs), size)
        for row, pair in enumerate(pairs):
            ids[row, : len(pair)] = torch.from_numpy(pair.ids.astype(np.int64))
            kinds[row, : len(pair)] = torch.from_numpy(pair.kinds.astype(np.int64))
            mask[row, : len(pair)] = 1
            start = pair.first + 2
            sides[0, row, 1 : pair.first + 1] = 1 / max(1, pair.first)
            sides[1, row, start : start + pair.second] = 1 / max(1, pair.second)
        full = all(len(pair) == size for pair in pairs)
        states = encode(
            self.weights, self.shape, self.layers, ids, kinds, None if full else mask, dropout
        )
        first, second = (torch.einsum("bt,btw->bw", side, states) for side in sides)
        parts = [states[:, 0], first, second, (first - second).abs(), first * second]
        return dropout(torch.cat(parts, dim=1))

    def outputs(
        self, pairs: Sequence[PairPieces], heads: Sequence[str], dropout: Dropout
    ) -> list[Tensor]:
        """Return what some heads say about each pair, [pairs, size] for each."""
        seen = self.features(pairs, dropout)
        return [
            seen @ self.weights[f"{HEAD}{name}.weight"].T + self.weights[f"{HEAD}{name}.bias"]
            for name in heads
        ]

    def predict(self, pairs: Sequence[PairPieces], head: str) -> npt.NDArray[np.float32]:
        """Return what a head says about all pairs, without dropout."""
        found = np.empty((len(pairs), self.heads[head]), np.float32)
        with torch.inference_mode():
            for batch in by_length(pairs, 64):
                (out,) = self.outputs([pairs[i] for i in batch], [head], Dropout())
                found[batch] = out.numpy()
        return found


def mean_network(networks: Sequence[PairNetwork]) -> PairNetwork:
    """Give the first of networks the mean weights of all, and return it.

    Networks that started alike and were tuned in another order mostly agree more with people as
    one network with their mean weights than each of them does.
    """
    first, *others = networks
    with torch.no_grad():
        for name, tensor in first.weights.items():
            if tensor.requires_grad:
                for other in others:
                    tensor += other.weights[name]
                tensor /= len(networks)
    return first


def by_length(
    pairs: Sequence[PairPieces], size: int, random: np.random.Generator | None = None
) -> Iterator[Batch]:
    """Yield batches of pairs of about the same length: by chance, with `random`, in any order."""
    lengths = np.array([len(pair) for pair in pairs])
    order = np.arange(len(pairs)) if random is None else random.permutation(len(pairs))
    order = order[np.argsort(lengths[order], kind="stable")]
    batches = [order[at : at + size].tolist() for at in range(0, len(order), size)]
    if random is not None:
        batches = [batches[k] for k in random.permutation(len(batches))]
    yield from batches
