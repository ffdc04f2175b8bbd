"""Pairs counted by two loops, and the best threshold of ties by trying each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np


def counts(
    x: Sequence[float], y: Sequence[float], copies: Sequence[int] | None = None, epsilon: float = 0
) -> list[int]:
    """Concordant, discordant, tied in x only, in y only, in both; an output occurs as often as
    `copies` says, and is no pair with its own copy.
    """
    found = [0] * 5
    copies = [1] * len(x) if copies is None else copies
    for i, j in combinations(range(len(x)), 2):
        dx, dy = x[i] - x[j], np.sign(y[i] - y[j])
        dx = 0 if abs(dx) <= epsilon else np.sign(dx)
        kind = 4 if dx == dy == 0 else 2 if dx == 0 else 3 if dy == 0 else 0 if dx == dy else 1
        found[kind] += copies[i] * copies[j]
    return found


def accuracy(x: Sequence[float], y: Sequence[float], epsilon: float) -> float:
    found = counts(x, y, epsilon=epsilon)
    return (found[0] + found[4]) / sum(found)


def best_threshold(
    x: Sequence[Sequence[float]], y: Sequence[Sequence[float]]
) -> tuple[float, float]:
    """The highest mean accuracy over groups, and the smallest threshold that reaches it."""
    differences = {0.0} | {abs(a - b) for row in x for a, b in combinations(row, 2)}
    tried = [
        (np.mean([accuracy(a, b, epsilon) for a, b in zip(x, y, strict=True)]), epsilon)
        for epsilon in sorted(differences)
    ]
    top = max(value for value, _ in tried)
    return next((value, epsilon) for value, epsilon in tried if value >= top - 1e-12)
