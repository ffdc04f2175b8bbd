"""Score pairs of texts by an encoder that reads both at once, without torch.

Its file has what training changed in the encoder that `minilm` names, and a linear head for each
thing that it says about a pair.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.errors import DataError, NlgaugeWarning
from nlgauge.kernels import Floats, checked_threads, native
from nlgauge.models.encoders.bert import Bert, Weights, native_bert
from nlgauge.models.encoders.changes import CHANGED, TYPES, tuned
from nlgauge.models.encoders.encoder import States, batches, find_encoder
from nlgauge.models.encoders.pair_pieces import PairPieces, pair_pieces
from nlgauge.models.files.artefacts import check_finite, reading
from nlgauge.models.files.trained_model import TrainedModel

HEAD = "head."
PARTS = 5  # the first piece, the means of both texts, their distance, their product
_WINDOW = 4096  # pairs that are sorted by length


class PairEncoder:
    """A pair encoder is an encoder that was tuned to pairs, and its heads."""

    def __init__(self, model: TrainedModel) -> None:
        self.name, self.path = model.name, model.path
        base = _base(model)
        self.base = base
        with reading(model.path, "its arrays do not fit the encoder", _remedy(model)):
            self._native = _tuned(base, model.arrays)
            self._heads = _heads(model, base.width)

    @property
    def heads(self) -> list[str]:
        """Return the names of the heads."""
        return list(self._heads)

    def pieces(self, pairs: Sequence[tuple[str, str]]) -> list[PairPieces]:
        """Return the pieces of pairs, and warn of those that are too long."""
        found = pair_pieces(self.base, pairs)
        lost = [pair.lost for pair in found if pair.lost]
        if lost:
            warnings.warn(
                f"{len(lost)} of {len(pairs)} pairs of texts are longer than the {self.base.limit} "
                f"pieces that {self.base.name} reads; {sum(lost):,} pieces at their ends are left "
                "out",
                NlgaugeWarning,
                stacklevel=2,
            )
        return found

    def predict(
        self, pairs: Sequence[PairPieces], head: str, *, threads: int = 1
    ) -> npt.NDArray[np.float64]:
        """Return what one head says about pairs, which does not depend on others: [pairs, size]."""
        return self.outputs(pairs, threads=threads)[head]

    def outputs(self, pairs: Sequence[PairPieces], *, threads: int = 1) -> dict[str, Floats]:
        """Return what every head says about pairs, by its name: [pairs, size] for each."""
        sizes = {name: len(bias) for name, (_, bias) in self._heads.items()}
        found = {name: np.empty((len(pairs), size)) for name, size in sizes.items()}
        for at in range(0, len(pairs), _WINDOW):
            window = pairs[at : at + _WINDOW]
            for batch in batches([len(pair) for pair in window]):
                seen = self._features([window[i] for i in batch], threads)
                rows = np.array(batch) + at
                for name, (weight, bias) in self._heads.items():
                    # The order of sums must not depend on how many pairs there are.
                    found[name][rows] = np.einsum("pf,hf->ph", seen, weight) + bias
        return found

    def _features(self, pairs: Sequence[PairPieces], threads: int) -> Floats:
        """Return what heads see of pairs: [pairs, 5 * width]."""
        starts = np.cumsum([0, *map(len, pairs)], dtype=np.int64)
        ids = np.concatenate([pair.ids for pair in pairs])
        kinds = np.concatenate([pair.kinds for pair in pairs])
        threads = checked_threads(threads)
        states: States = self._native.encode(
            ids, starts, [self.base.layers], threads=threads, kinds=kinds
        )[0]
        check_finite({"a vector": states}, self.path)
        first = np.array([pair.first for pair in pairs])
        second = np.array([pair.second for pair in pairs])
        left = _means(states, starts[:-1] + 1, first)
        right = _means(states, starts[:-1] + first + 2, second)
        whole = states[starts[:-1]].astype(np.float64)
        parts: list[Floats] = [whole, left, right, np.abs(left - right), left * right]
        return np.concatenate(parts, axis=1)


def _means(states: States, starts: npt.NDArray[Any], sizes: npt.NDArray[Any]) -> Floats:
    """Return the means of runs of states; 0 for one without any."""
    ends = np.stack([starts, starts + sizes], axis=1).ravel()
    sums = np.add.reduceat(states, ends, axis=0, dtype=np.float64)[::2]
    sums[sizes == 0] = 0
    return np.asarray(sums / np.maximum(sizes, 1)[:, None])


def _base(model: TrainedModel) -> Bert:
    found = find_encoder("minilm")
    model.check_encoder(found.name)
    if not isinstance(found, Bert):
        raise DataError(f"{found.name}: only BERT models can be tuned to pairs")
    return found


def _tuned(base: Bert, arrays: Mapping[str, npt.NDArray[Any]]) -> native.Bert:
    if not any(name.endswith(CHANGED) for name in arrays) or TYPES not in arrays:
        raise ValueError("it changes nothing")
    weights: Weights = tuned(base.weights, arrays)
    bert = native_bert(weights, base.layers, base.shape)
    # The native encoder has the first segment in its positions.
    kinds = arrays[TYPES] - weights[TYPES][0]
    if kinds.shape != (2, base.width):
        raise ValueError(f"kinds of shape {kinds.shape}")
    bert.set_kinds(np.ascontiguousarray(kinds, np.float32))
    return bert


def _heads(model: TrainedModel, width: int) -> dict[str, tuple[Floats, Floats]]:
    """Return weights and biases of the heads, by name."""
    found = {}
    for name in model.arrays:
        if name.startswith(HEAD) and name.endswith(".weight"):
            own = name.removesuffix(".weight")
            weight = np.asarray(model.array(name, 2), np.float64)
            bias = np.asarray(model.array(f"{own}.bias", 1), np.float64)
            if weight.shape != (len(bias), PARTS * width):
                raise ValueError(f"{own}: its weights are of shape {weight.shape}")
            found[own.removeprefix(HEAD)] = weight, bias
    if not found:
        raise ValueError("it has no head")
    return found


def _remedy(model: TrainedModel) -> str:
    return f"install nlgauge again, or train it again: nlgauge train {model.metric} ... -o FILE"
