"""ESIM as the paper has it, one pair and one piece at a time, in double precision."""

from __future__ import annotations

import numpy as np

from oracles.lstm import bilstm, random_lstm


def esim(weights: dict, hyp: np.ndarray, ref: np.ndarray) -> float:
    """What the network says of two texts, given as vectors of their pieces."""

    def within(name):
        return {
            k.removeprefix(f"{name}."): np.asarray(w, np.float64)
            for k, w in weights.items()
            if k.startswith(f"{name}.")
        }

    def linear(name, x):
        return weights[f"{name}.weight"].astype(np.float64) @ x + weights[f"{name}.bias"]

    a, b = bilstm(within("first"), hyp), bilstm(within("first"), ref)
    pooled = []
    for own, other in ((a, b), (b, a)):
        rows = []
        for piece in own:
            alike = np.exp(other @ piece - (other @ piece).max())
            mean = sum(w * row for w, row in zip(alike / alike.sum(), other, strict=True))
            both = np.concatenate([piece, mean, piece - mean, piece * mean])
            rows.append(np.maximum(linear("compared", both), 0))
        read = bilstm(within("second"), np.array(rows))
        pooled += [read.mean(axis=0), read.max(axis=0)]
    return float(linear("output", np.maximum(linear("hidden", np.concatenate(pooled)), 0))[0])


def random_esim(rng, inputs: int, width: int) -> dict:
    """Weights that were never trained."""
    found = {}
    for name, size in (("first", inputs), ("second", width)):
        found |= {f"{name}.{k}": w for k, w in random_lstm(rng, size, width).items()}
    for name, shape in (("compared", (width, 8 * width)), ("hidden", (width, 8 * width))):
        found[f"{name}.weight"] = rng.normal(size=shape).astype(np.float32) / 4
        found[f"{name}.bias"] = rng.normal(size=width).astype(np.float32)
    found["output.weight"] = rng.normal(size=(1, width)).astype(np.float32)
    found["output.bias"] = rng.normal(size=1).astype(np.float32)
    return found
