"""Tune a network that reads two texts at once to ratings of people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from nlgauge.kernels import Floats
from nlgauge.models.encoders.bert import Bert
from nlgauge.models.encoders.pair_encoder import HEAD
from nlgauge.models.encoders.pair_pieces import PairPieces
from nlgauge.train.networks.loop import Steps, run
from nlgauge.train.networks.pair_network import PairNetwork, by_length
from nlgauge.train.networks.torch_bert import Dropout, Tensor

RATING = "rating"


@dataclass(frozen=True)
class Tuning:
    """A tuning says how long and how fast a network is tuned."""

    epochs: int = 3
    batch: int = 16
    dropout: float = 0.1
    patience: int = 0  # epochs without progress after which training ends; 0: it never does
    steps: Steps = Steps()


@dataclass(frozen=True, eq=False)
class RatedPairs:
    """These are pairs of texts, with what people say of them.

    Where `sides` is -1, an output below the rating is no error, and where it is 1, one above.
    """

    pieces: Sequence[PairPieces]
    ratings: Floats
    sides: npt.NDArray[np.int64]


def rating_network(bert: Bert, start: Mapping[str, npt.NDArray[Any]] | None) -> PairNetwork:
    """Return a network that rates pairs, with the weights of `start`, or those of the encoder."""
    network = PairNetwork(bert, {RATING: 1}, seed=0)
    if start is not None:
        network.load(start, bert)
    return network


def tune(
    bert: Bert,
    pairs: RatedPairs,
    settings: Tuning,
    *,
    seed: int,
    start: Mapping[str, npt.NDArray[Any]] | None = None,
    held_out: RatedPairs | None = None,
    progress: Callable[[str], None] = lambda _: None,
    checkpoint: Path | None = None,
) -> PairNetwork:
    """Return a network tuned to ratings by their squared error, from the arrays of `start` on.

    With `held_out`, the weights of the best epoch are kept, by the correlation there. The seed is
    that of the order of pairs and of dropout: the first weights are always the same, so that the
    mean of networks of several seeds is one, too. A checkpoint stays when training is over.
    """
    torch.manual_seed(seed)
    network = rating_network(bert, start)
    mean, spread = float(pairs.ratings.mean()), float(pairs.ratings.std())
    targets = torch.from_numpy(((pairs.ratings - mean) / spread).astype(np.float32))
    sides = torch.from_numpy(pairs.sides)
    rng = np.random.default_rng(seed)
    epochs = [list(by_length(pairs.pieces, settings.batch, rng)) for _ in range(settings.epochs)]
    batches = [batch for epoch in epochs for batch in epoch]
    dropout = Dropout(settings.dropout, active=True)

    def loss(batch: list[int]) -> Tensor:
        (said,) = network.outputs([pairs.pieces[i] for i in batch], [RATING], dropout)
        errors = said[:, 0] - targets[batch]
        return (errors**2 * (errors * sides[batch] <= 0)).mean()

    watch = _EpochWatch(network, held_out, len(epochs[0]), settings, progress)
    run(
        network,
        batches,
        loss,
        settings.steps,
        progress=progress,
        checkpoint=checkpoint,
        after=None if held_out is None else watch,
        keep=True,
    )
    _rescale(network, mean, spread)
    return network


class _EpochWatch:
    """A watch looks at what is held out after every epoch, and remembers the best weights."""

    def __init__(
        self,
        network: PairNetwork,
        held_out: RatedPairs | None,
        size: int,
        settings: Tuning,
        progress: Callable[[str], None],
    ) -> None:
        self.network, self.held_out, self.size = network, held_out, size
        self.total, self.patience = size * settings.epochs, settings.patience
        self.progress = progress
        self.best, self.since = -np.inf, 0
        self.kept: dict[str, Tensor] = {}

    def __call__(self, done: int) -> bool:
        if self.held_out is None or done % self.size:
            return False
        said = self.network.predict(self.held_out.pieces, RATING)[:, 0]
        found = float(np.corrcoef(said, self.held_out.ratings)[0, 1])
        self.progress(f"epoch {done // self.size}: Pearson of what is held out {found:.4f}")
        self.since = 0 if found > self.best else self.since + 1
        if found > self.best:
            self.best = found
            self.kept = {
                name: tensor.detach().clone()
                for name, tensor in self.network.weights.items()
                if tensor.requires_grad
            }
        over = bool(self.patience) and self.since >= self.patience
        if over or done == self.total:
            self._restore()
        return over

    def _restore(self) -> None:
        """Give the network the best weights."""
        with torch.no_grad():
            for name, tensor in self.kept.items():
                self.network.weights[name].copy_(tensor)


def _rescale(network: PairNetwork, mean: float, spread: float) -> None:
    """Make the head speak on the scale of the ratings."""
    with torch.no_grad():
        network.weights[f"{HEAD}{RATING}.weight"].mul_(spread)
        network.weights[f"{HEAD}{RATING}.bias"].mul_(spread).add_(mean)
