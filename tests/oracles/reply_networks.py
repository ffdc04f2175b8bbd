"""Networks that score replies, as their papers write them: one text, one step, one row at a time,
in double precision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from nlgauge.models.networks.packed_layers import unpacked_arrays


def weights(arrays: Mapping) -> dict[str, np.ndarray]:
    return {name: array.astype(np.float64) for name, array in unpacked_arrays(arrays).items()}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def product(w: Mapping, left, right, name: str = "bilinear") -> float:
    matrix = np.eye(len(left)) + w[f"{name}.weight"]
    return sum(
        left[i] * matrix[i, j] * right[j] for i in range(len(left)) for j in range(len(right))
    )


def layers(w: Mapping, row, between: Callable, name: str = "layer") -> float:
    k = 0
    while f"{name}.{k}.weight" in w:
        row = w[f"{name}.{k}.weight"] @ (between(row) if k else row) + w[f"{name}.{k}.bias"]
        k += 1
    return float(row[0])


def relu(x):
    return np.maximum(x, 0)


def quadratic(w: Mapping, query, reply) -> float:
    both = float(w["gain"][0]) * product(w, query, reply)
    return layers(w, np.array([*query, *reply, both]), np.tanh)


def gru(w: Mapping, words: Sequence) -> np.ndarray:
    found = []
    for name, order in (("gru", words), ("gru_back", words[::-1])):
        width = w[f"{name}.recurrent.weight"].shape[1]
        state = np.zeros(width)
        for word in order:
            given = w[f"{name}.input.weight"] @ word + w[f"{name}.input.bias"]
            kept = w[f"{name}.recurrent.weight"] @ state + w[f"{name}.recurrent.bias"]
            reset = sigmoid(given[:width] + kept[:width])
            update = sigmoid(given[width : 2 * width] + kept[width : 2 * width])
            new = np.tanh(given[2 * width :] + reset * kept[2 * width :])
            state = (1 - update) * new + update * state
        found.append(state)
    return np.concatenate(found)


def lstm(w: Mapping, rows: Sequence, name: str) -> np.ndarray:
    sides = []
    for back in ("", "back_"):
        width = w[f"{name}.{back}recurrent"].shape[1]
        state, cell, found = np.zeros(width), np.zeros(width), []
        for row in rows[::-1] if back else rows:
            gates = (
                w[f"{name}.{back}input"] @ row
                + w[f"{name}.{back}recurrent"] @ state
                + w[f"{name}.{back}bias"]
            )
            enter, forget, new, out = np.split(gates, 4)
            cell = sigmoid(forget) * cell + sigmoid(enter) * np.tanh(new)
            state = sigmoid(out) * np.tanh(cell)
            found.append(state)
        sides.append(found[::-1] if back else found)
    return np.array([np.concatenate(pair) for pair in zip(*sides, strict=True)])


def turn_reader(w: Mapping, turns: Sequence, reply) -> float:
    scale = np.sqrt(len(reply))
    small = [w["projection.weight"] @ (v * scale) + w["projection.bias"] for v in (*turns, reply)]
    read = lstm(w, lstm(w, small[:-1], "first"), "second").max(axis=0)
    context, own = w["joined.weight"] @ read + w["joined.bias"], small[-1]
    row = np.concatenate([context, own, np.abs(context - own), context * own])
    return layers(w, row, relu)


def pair_regressor(w: Mapping, one, other, more=()) -> float:
    scale = np.sqrt(len(one))
    row = np.concatenate([one, other, np.abs(one - other), one * other * scale]) * scale
    return layers(w, np.array([*row, *more]), relu)


def shapley(points, labels, judged: Sequence[int], neighbours: int) -> np.ndarray:
    """By the definition: means over all orders of what a point adds to the share of neighbours with
    the right label, which is counted over `neighbours` even if there are fewer.
    """
    from itertools import permutations

    others = [k for k in range(len(points)) if k not in judged]
    found = np.zeros(len(points))
    for item in judged:

        def worth(chosen, item=item) -> float:
            near = sorted(chosen, key=lambda k: (((points[k] - points[item]) ** 2).sum(), k))
            return sum(labels[k] == labels[item] for k in near[:neighbours]) / neighbours

        orders = list(permutations(others))
        for order in orders:
            for place, k in enumerate(order):
                gain = worth(order[: place + 1]) - worth(order[:place])
                found[k] += gain / len(orders) / len(judged)
    return found
