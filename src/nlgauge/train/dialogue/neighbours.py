"""What neighbours say of noisy ratings: means of them, and which ratings mislead.

Values are those of Shapley for a classifier by neighbours (Jia et al., 2019), which one pass over
the sorted neighbours of each item gives exactly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Floats

NEIGHBOURS = 50


def smoothed(points: Floats, ratings: Floats, neighbours: int = NEIGHBOURS) -> Floats:
    """Return the mean rating of the nearest points of each, itself included."""
    count = min(neighbours, len(points))
    nearest = np.argsort(_distances(points, points), axis=1, kind="stable")[:, :count]
    return np.asarray(ratings[nearest].mean(axis=1))


def shapley_values(
    points: Floats,
    labels: npt.NDArray[np.bool_],
    judged: Sequence[int],
    neighbours: int = NEIGHBOURS,
) -> Floats:
    """Return what each point adds to the accuracy with which the others' neighbours classify the
    points `judged`; these themselves are worth nothing.
    """
    others = np.setdiff1d(np.arange(len(points)), np.asarray(judged, np.intp))
    order = others[np.argsort(_distances(points[list(judged)], points[others]), axis=1,
                              kind="stable")]  # fmt: skip
    size = len(others)
    right = (labels[order] == labels[list(judged)][:, None]).astype(np.float64)
    values = np.zeros_like(right)
    values[:, -1] = right[:, -1] / size
    places = np.arange(1, size)  # from 1, of all but the last
    steps = (right[:, :-1] - right[:, 1:]) / neighbours * np.minimum(neighbours, places) / places
    values[:, :-1] = values[:, -1:] + np.cumsum(steps[:, ::-1], axis=1)[:, ::-1]
    found = np.zeros(len(points))
    np.add.at(found, order, values)
    return found / len(judged)


def _distances(left: Floats, right: Floats) -> Floats:
    squares = (left**2).sum(axis=1)[:, None] + (right**2).sum(axis=1) - 2 * left @ right.T
    return np.asarray(squares)
