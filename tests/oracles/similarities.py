"""N-grams of two texts compared by the similarities of their words, plainly."""

from __future__ import annotations

from collections.abc import Sequence

Matrix = Sequence[Sequence[float]]


def precision(matrix: Matrix, weights: Sequence[float], order: int) -> float:
    """How well the n-grams of the rows' text are found among those of the columns'."""
    rows, columns = len(matrix), len(matrix[0])
    n = min(order, rows, columns)
    gained = total = 0.0
    for i in range(rows - n + 1):
        gained += max(
            sum(weights[i + k] * matrix[i + k][j + k] for k in range(n))
            for j in range(columns - n + 1)
        )
        total += sum(weights[i : i + n])
    return gained / total


def recall(matrix: Matrix, weights: Sequence[float], order: int) -> float:
    """The same for the columns' text."""
    return precision([list(column) for column in zip(*matrix, strict=True)], weights, order)
