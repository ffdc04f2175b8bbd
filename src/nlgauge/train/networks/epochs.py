"""Train small networks epoch by epoch, and keep the best by Pearson's r on rows held out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from nlgauge.kernels import Floats
from nlgauge.stats.correlation import pearson

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class EpochSettings:
    """These settings say how a small network is trained."""

    epochs: int
    batch: int
    rate: float
    decay: float = 0.01
    patience: int | None = None  # epochs without a better figure before training stops
    held_out: float = 0.1  # the share of groups that the best epoch is chosen on
    average: float = 0.0  # how much of the mean weights so far is kept with each batch; 0: none
    sorted_in: int = 1  # batches whose rows are sorted by length


def train_epochs(
    module: torch.nn.Module,
    outputs: Callable[[list[int]], torch.Tensor],
    ratings: Floats,
    settings: EpochSettings,
    *,
    sides: npt.NDArray[np.int64] | None = None,
    loss: Callable[[torch.Tensor, list[int]], torch.Tensor] | None = None,
    judged: Sequence[int] = (),
    lengths: Sequence[int] | None = None,
    seed: int,
    progress: Callable[[str], None],
    checkpoint: Path | None = None,
) -> None:
    """Train a module in place; `outputs` runs it on rows. It is left with the weights of the epoch
    that was best on the rows `judged`, or with the last ones. A checkpoint is gone on from.

    Where `sides` is -1, an output below its rating is no error, and where it is 1, one above. The
    loss is the squared error, unless another function of outputs and rows is given.
    """
    rows = np.setdiff1d(np.arange(len(ratings)), np.asarray(judged, np.intp))
    targets = torch.tensor(ratings, dtype=torch.float32)
    limits = torch.tensor(np.zeros(len(ratings)) if sides is None else sides)
    training = _Training(module, settings, seed)
    training.resume(checkpoint)
    started, first = time.monotonic(), training.epoch
    while not training.over:
        module.train()
        losses = []
        for batch in _batches(rows, settings, lengths, training.order):
            found = outputs(batch)
            if loss is None:
                error = found - targets[batch]
                missed = (error[error * limits[batch] <= 0] ** 2).sum() / len(batch)
            else:
                missed = loss(found, batch)
            training.step(missed)
            losses.append(float(missed.detach()))
        figure = _judged(training, outputs, ratings, judged)
        training.end_epoch(figure)
        spent = (time.monotonic() - started) / (training.epoch - first)
        told = f", Pearson {figure:.4f} on rows held out" if len(judged) else ""
        progress(
            f"epoch {training.epoch} of {settings.epochs}: loss {np.mean(losses):.4f}{told}, "
            f"{spent:.0f} s an epoch"
        )
        if checkpoint is not None:
            training.save(checkpoint)
    module.load_state_dict(training.best)
    module.eval()


class _Training:
    """A training has all that a checkpoint keeps."""

    def __init__(self, module: torch.nn.Module, settings: EpochSettings, seed: int) -> None:
        self.module, self.settings = module, settings
        self.optimiser = torch.optim.AdamW(
            module.parameters(), lr=settings.rate, weight_decay=settings.decay, fused=True
        )
        self.order = np.random.default_rng(seed)
        self.epoch, self.best_epoch, self.best_figure = 0, 0, -np.inf
        self.mean = _copied(module)
        self.best = self.mean
        self._steps = 0

    @property
    def over(self) -> bool:
        patience = self.settings.patience
        tired = patience is not None and self.epoch - self.best_epoch >= patience
        return self.epoch >= self.settings.epochs or (tired and self.epoch > 0)

    def step(self, loss: torch.Tensor) -> None:
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.module.parameters(), 10.0)
        self.optimiser.step()
        self._steps += 1
        # The mean forgets the first, random weights sooner than later ones.
        kept = min(self.settings.average, self._steps / (self._steps + 10))
        if kept:
            with torch.no_grad():
                for name, tensor in self.module.state_dict().items():
                    self.mean[name].lerp_(tensor, 1 - kept)

    def weights(self) -> dict[str, Any]:
        return self.mean if self.settings.average else self.module.state_dict()

    def end_epoch(self, figure: float) -> None:
        self.epoch += 1
        if np.isnan(figure) or figure > self.best_figure:
            self.best_epoch = self.epoch
            self.best_figure = -np.inf if np.isnan(figure) else figure
            self.best = {name: tensor.clone() for name, tensor in self.weights().items()}

    def save(self, path: Path) -> None:
        state = {
            "epoch": (self.epoch, self.best_epoch, float(self.best_figure), self._steps),
            "weights": self.module.state_dict(),
            "mean": self.mean,
            "best": self.best,
            "optimiser": self.optimiser.state_dict(),
            "random": torch.get_rng_state(),
            "order": repr(self.order.bit_generator.state),
        }
        partial = path.with_name(path.name + ".part")
        torch.save(state, partial)
        partial.replace(path)

    def resume(self, path: Path | None) -> None:
        if path is None or not path.is_file():
            return
        from ast import literal_eval

        state = torch.load(path, weights_only=True)
        self.epoch, self.best_epoch, self.best_figure, self._steps = state["epoch"]
        self.module.load_state_dict(state["weights"])
        self.mean, self.best = state["mean"], state["best"]
        self.optimiser.load_state_dict(state["optimiser"])
        torch.set_rng_state(state["random"])
        self.order.bit_generator.state = literal_eval(state["order"])


def _copied(module: torch.nn.Module) -> dict[str, Any]:
    return {name: tensor.detach().clone() for name, tensor in module.state_dict().items()}


def _judged(
    training: _Training,
    outputs: Callable[[list[int]], torch.Tensor],
    ratings: Floats,
    judged: Sequence[int],
) -> float:
    """Return Pearson's r of the weights so far on rows held out; NaN without any."""
    if len(judged) < 2:
        return float("nan")
    module = training.module
    module.eval()
    current = _copied(module)
    module.load_state_dict(training.weights())
    with torch.no_grad():
        parts = [outputs(list(judged[at : at + 64])) for at in range(0, len(judged), 64)]
    module.load_state_dict(current)
    return float(pearson(torch.cat(parts).double().numpy(), ratings[np.asarray(judged)]))


def _batches(
    rows: Rows,
    settings: EpochSettings,
    lengths: Sequence[int] | None,
    order: np.random.Generator,
) -> list[list[int]]:
    """Return the rows in a new order; those of a batch are about as long as each other."""
    mixed = order.permutation(rows)
    size = settings.batch
    if lengths is not None and settings.sorted_in > 1:
        window = size * settings.sorted_in
        parts = [mixed[at : at + window] for at in range(0, len(mixed), window)]
        mixed = np.concatenate([sorted(part, key=lambda i: lengths[i]) for part in parts])
    batches = [mixed[at : at + size].tolist() for at in range(0, len(mixed), size)]
    return [batches[k] for k in order.permutation(len(batches))]


def rows_held_out(groups: Sequence[object], share: float, seed: int) -> list[int]:
    """Return the rows of a share of the groups, drawn at random; none if there are few groups."""
    distinct = sorted(set(groups), key=str)
    if len(distinct) < 20 or not share:
        return []
    drawn = np.random.default_rng(seed).permutation(len(distinct))
    chosen = {distinct[k] for k in drawn[: max(1, round(share * len(distinct)))]}
    return [i for i, group in enumerate(groups) if group in chosen]
