"""Small arithmetic that many metrics share: shares, harmonic means, and vectors of length 1."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Floats

Vectors = TypeVar("Vectors", bound=npt.NDArray[np.floating[Any]])


def ratio(part: npt.ArrayLike, whole: npt.ArrayLike) -> Floats:
    """Divide, element by element; a share of nothing is 0."""
    a, b = np.broadcast_arrays(part, whole)
    shares: Floats = np.divide(a, b, out=np.zeros(b.shape), where=b > 0)
    return shares


def harmonic_mean(precision: npt.ArrayLike, recall: npt.ArrayLike) -> Floats:
    """Return F1 of precision and recall; it is 0 unless both are positive."""
    p, r = np.asarray(precision), np.asarray(recall)
    return ratio(np.where((p > 0) & (r > 0), 2 * p * r, 0.0), p + r)


def weighted_harmonic_mean(precision: npt.ArrayLike, recall: npt.ArrayLike, alpha: float) -> Floats:
    """Return precision · recall / (alpha · precision + (1 − alpha) · recall), so that recall counts
    the more, the larger `alpha`; it is 0 unless both are positive.
    """
    p, r = np.asarray(precision), np.asarray(recall)
    return ratio(np.where((p > 0) & (r > 0), p * r, 0.0), alpha * p + (1 - alpha) * r)


def unit_vectors(vectors: Vectors) -> Vectors:
    """Return vectors of length 1 along the last axis; those of length 0 stay as they are."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return unit
