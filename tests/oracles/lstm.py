"""Long short-term memory as the papers have it, one text and one number at a time."""

from __future__ import annotations

import numpy as np


def bilstm(weights: dict, x: np.ndarray) -> np.ndarray:
    """The outputs of both directions for each row, in double precision."""

    def one(rows, prefix):
        width = weights[f"{prefix}recurrent"].shape[1]
        memory, output, found = np.zeros(width), np.zeros(width), []
        for row in rows:
            gates = weights[f"{prefix}input"].astype(np.float64) @ row
            gates = gates + weights[f"{prefix}recurrent"].astype(np.float64) @ output
            gates = gates + weights[f"{prefix}bias"]
            enter, keep, new, leave = gates.reshape(4, width)
            memory = sigmoid(keep) * memory + sigmoid(enter) * np.tanh(new)
            output = sigmoid(leave) * np.tanh(memory)
            found.append(output)
        return found

    backward = one(x[::-1], "back_")[::-1]
    return np.array([[*a, *b] for a, b in zip(one(x, ""), backward, strict=True)])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def random_lstm(rng, inputs: int, width: int) -> dict:
    """Weights that were never trained, in the order of the native core."""
    shapes = {"input": (4 * width, inputs), "recurrent": (4 * width, width), "bias": (4 * width,)}
    return {
        f"{back}{name}": rng.normal(size=shape).astype(np.float32) / 4
        for back in ("", "back_")
        for name, shape in shapes.items()
    }
