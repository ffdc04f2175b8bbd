"""Greedy matching of two texts by the vectors of their pieces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Floats, checked_threads, native

Vectors = npt.NDArray[np.float32]
# What is told of the cosines behind a mean: the least, the quartiles, and the standard deviation.
SPREAD = ("least", "quartile", "median", "upper_quartile", "deviation")


def unit(vectors: Vectors) -> Vectors:
    """Return the vectors with length 1; those of length 0 stay.

    Unlike `arithmetic.unit_vectors`, it makes no squares of a whole block of vectors.
    """
    lengths: Vectors = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    lengths[lengths == 0] = 1
    return vectors / lengths


def greedy(
    texts: Sequence[Vectors],
    weights: Sequence[Floats],
    left: Sequence[int],
    right: Sequence[int],
    *,
    spread: bool = False,
    threads: int = 1,
) -> Floats:
    """Compute precision and recall of pairs of texts, which are given by their numbers:
    float64[pairs, 2].

    They are means over the left, and over the right text's vectors of the cosine with the nearest
    vector of the other. A vector without weight can be the nearest; the mean of a text without
    weights is NaN. With `spread`, `SPREAD` of the same cosines follows for the left and for the
    right text: float64[pairs, 12].
    """
    starts = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    means = native.greedy_matches(
        unit(np.concatenate(texts)),
        np.concatenate(weights),
        starts,
        np.asarray(left, np.int64),
        np.asarray(right, np.int64),
        spread=spread,
        threads=checked_threads(threads),
    )
    means[:, :2] = np.clip(means[:, :2], -1.0, 1.0)  # cosines of rounded vectors may go beyond
    return means
