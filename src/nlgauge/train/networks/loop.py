"""Run the steps of training: AdamW with warm-up, and checkpoints to go on from."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from nlgauge.train.networks.pair_network import PairNetwork
from nlgauge.train.networks.torch_bert import Tensor


@dataclass(frozen=True)
class Steps:
    """Steps say how far training goes with each batch."""

    body: float = 1e-4  # the largest step of the encoder's weights, and that of the heads
    head: float = 1e-3
    decay: float = 0.01
    warm_up: float = 0.1  # the share of batches in which steps grow
    clip: float = 1.0
    save_every: float = 120.0  # seconds


def run(
    network: PairNetwork,
    batches: Sequence[Any],
    loss: Callable[[Any], Tensor],
    steps: Steps,
    *,
    progress: Callable[[str], None],
    checkpoint: Path | None = None,
    after: Callable[[int], bool] | None = None,
    keep: bool = False,
) -> None:
    """Train on batches in their order; what a checkpoint has seen is left out. `after` is called
    with the number of batches so far, and ends training where it returns true.

    A checkpoint of other batches, or of a network that started elsewhere, does not count. It is
    removed in the end, or has the last weights if it is to be kept.
    """
    optimiser = _optimiser(network, steps)
    key = _key(network, batches, steps)
    total = len(batches)
    warm = max(1, round(steps.warm_up * total))
    done = _resume(network, optimiser, checkpoint, key)
    started, saved, mean, count = time.monotonic(), time.monotonic(), 0.0, 0
    for at in range(done, total):
        scale = min((at + 1) / warm, (total - at) / max(1, total - warm))
        for group in optimiser.param_groups:
            group["lr"] = group["largest"] * scale
        value = loss(batches[at])
        value.backward()
        torch.nn.utils.clip_grad_norm_(
            [tensor for group in optimiser.param_groups for tensor in group["params"]], steps.clip
        )
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        mean, count = mean + float(value.detach()), count + 1
        if (at + 1) % 100 == 0 or at + 1 == total:
            spent = time.monotonic() - started
            left = spent / (at + 1 - done) * (total - at - 1)
            progress(f"batch {at + 1} of {total}, loss {mean / count:.4f}, {left:.0f} s left")
            mean, count = 0.0, 0
        if after is not None and after(at + 1):
            break
        if checkpoint is not None and time.monotonic() - saved > steps.save_every:
            _save(network, optimiser, checkpoint, key, at + 1)
            saved = time.monotonic()
    if checkpoint is not None and keep:
        _save(network, optimiser, checkpoint, key, total)
    elif checkpoint is not None:
        checkpoint.unlink(missing_ok=True)


def _optimiser(network: PairNetwork, steps: Steps) -> Any:
    groups = []
    for heads, largest in ((False, steps.body), (True, steps.head)):
        tuned = network.tuned(heads=heads)
        for decay in (steps.decay, 0.0):
            params = [t for _, t in tuned if (t.ndim == 2) == bool(decay)]
            groups.append({"params": params, "weight_decay": decay, "largest": largest})
    return torch.optim.AdamW(groups, lr=steps.body, fused=True)


def _save(network: PairNetwork, optimiser: Any, path: Path, key: str, done: int) -> None:
    state = {
        "key": key,
        "done": done,
        "weights": {name: t.detach() for name, t in network.weights.items() if t.requires_grad},
        "optimiser": optimiser.state_dict(),
        "random": torch.get_rng_state(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".part")
    torch.save(state, partial)
    partial.replace(path)


def _key(network: PairNetwork, batches: Sequence[Any], steps: Steps) -> str:
    """Return what tells one training from others: its batches, steps and first weights."""
    found = hashlib.sha256(repr((steps, [list(batch) for batch in batches])).encode())
    for _, tensor in (*network.tuned(heads=False), *network.tuned(heads=True)):
        found.update(tensor.detach().numpy().tobytes())
    return found.hexdigest()


def _resume(network: PairNetwork, optimiser: Any, path: Path | None, key: str) -> int:
    """Go on from a checkpoint, if there is one; return how many batches it has seen."""
    if path is None or not path.is_file():
        return 0
    state = torch.load(path, weights_only=True)
    if state["key"] != key:
        return 0
    with torch.no_grad():
        for name, tensor in state["weights"].items():
            network.weights[name].copy_(tensor)
    optimiser.load_state_dict(state["optimiser"])
    torch.set_rng_state(state["random"])
    return int(state["done"])
