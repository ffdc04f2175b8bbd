"""BERT's encoder as the paper has it, one text at a time."""

from __future__ import annotations

import math

import numpy as np


def bert(weights: dict, ids: list[int], heads: int, epsilon: float) -> list[np.ndarray]:
    """The vectors of every layer, the embeddings first, in double precision."""
    weights = {name: np.asarray(array, np.float64) for name, array in weights.items()}

    def linear(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x**2).mean(-1, keepdims=True) + epsilon)
        return x * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    gelu = np.vectorize(lambda x: x / 2 * (1 + math.erf(x / math.sqrt(2))))
    x = weights["embeddings.word_embeddings.weight"][ids]
    x = x + weights["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    states = [x]
    while f"encoder.layer.{len(states) - 1}.output.dense.weight" in weights:
        at = f"encoder.layer.{len(states) - 1}"
        query, key, value = (
            linear(x, f"{at}.attention.self.{part}") for part in ("query", "key", "value")
        )
        size = x.shape[1] // heads
        mixed = np.zeros_like(x)
        for head in range(heads):
            own = slice(head * size, (head + 1) * size)
            scores = np.exp(query[:, own] @ key[:, own].T / math.sqrt(size))
            mixed[:, own] = scores / scores.sum(-1, keepdims=True) @ value[:, own]
        attended = linear(mixed, f"{at}.attention.output.dense")
        x = norm(x + attended, f"{at}.attention.output.LayerNorm")
        inner = gelu(linear(x, f"{at}.intermediate.dense"))
        x = norm(x + linear(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
        states.append(x)
    return states


def random_weights(rng, *, words: int, positions: int, width: int, inner: int, layers: int) -> dict:
    """Of a model that was never trained."""

    def pair(name, outputs, inputs=None):
        size = (outputs,) if inputs is None else (outputs, inputs)
        return {f"{name}.weight": rng.normal(size=size), f"{name}.bias": rng.normal(size=outputs)}

    tables = {"word": words, "position": positions, "token_type": 2}
    found = {
        f"embeddings.{table}_embeddings.weight": rng.normal(size=(rows, width))
        for table, rows in tables.items()
    }
    found |= pair("embeddings.LayerNorm", width)
    for k in range(layers):
        at = f"encoder.layer.{k}"
        for part in ("query", "key", "value"):
            found |= pair(f"{at}.attention.self.{part}", width, width)
        found |= pair(f"{at}.attention.output.dense", width, width)
        found |= pair(f"{at}.attention.output.LayerNorm", width)
        found |= pair(f"{at}.intermediate.dense", inner, width)
        found |= pair(f"{at}.output.dense", width, inner)
        found |= pair(f"{at}.output.LayerNorm", width)
    return {name: (array / 3).astype(np.float32) for name, array in found.items()}
