"""Keep what training changed in the matrices of an encoder, in few bits for each number.

Numbers are whole multiples of a scale: in 8 bits with a scale for each row of a matrix, or in 4
bits with one for each 64 numbers of a row. All else that training changed is kept as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

CHANGED, SCALES = ".changed", ".scales"
GROUP = 64  # numbers of 4 bits that share a scale
TYPES = "embeddings.token_type_embeddings.weight"

Floats = npt.NDArray[np.float32]
Arrays = dict[str, npt.NDArray[Any]]


def packed(change: Floats, bits: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return a matrix of changes in 8 or 4 bits, and its scales."""
    if bits == 8:
        scales = np.maximum(np.abs(change).max(axis=1), 1e-12) / 127
        return np.rint(change / scales[:, None]).astype(np.int8), scales.astype(np.float32)
    groups = change.reshape(len(change), -1, GROUP)
    scales = _scales(groups)
    numbers = _whole(groups, scales).astype(np.int8).reshape(change.shape) + 8
    pairs = numbers.astype(np.uint8)
    return pairs[:, ::2] | pairs[:, 1::2] << 4, scales


def unpacked(numbers: npt.NDArray[Any], scales: npt.NDArray[Any]) -> Floats:
    """Return the matrix of changes that was packed."""
    if numbers.dtype == np.int8:
        return np.asarray(numbers * scales[:, None], np.float32)
    whole = np.stack([numbers & 15, numbers >> 4], axis=-1).astype(np.float32) - 8
    groups = whole.reshape(len(numbers), -1, GROUP) * scales.astype(np.float32)[:, :, None]
    return groups.reshape(len(numbers), -1)


def tuned(weights: Mapping[str, Floats], arrays: Mapping[str, npt.NDArray[Any]]) -> Arrays:
    """Return the weights of an encoder with the changes that arrays hold, the kinds aside."""
    found: Arrays = dict(weights)
    for name, array in arrays.items():
        if name.endswith(CHANGED):
            matrix = name.removesuffix(CHANGED)
            found[matrix] = weights[matrix] + unpacked(array, arrays[matrix + SCALES])
        elif name in weights and name != TYPES:
            found[name] = array
    return found


def changes(tuned: Mapping[str, Floats], weights: Mapping[str, Floats], bits: int) -> Arrays:
    """Return what `tuned` needs to make the tuned weights of the encoder's own."""
    found: Arrays = {}
    for name, array in tuned.items():
        if name.startswith("encoder.") and array.ndim == 2:
            found[name + CHANGED], found[name + SCALES] = packed(array - weights[name], bits)
        elif (array.ndim == 1 and name in weights) or name == TYPES:
            found[name] = array.astype(np.float32)
    return found


def _scales(groups: Floats) -> npt.NDArray[np.float16]:
    """Return the scales with the least squared error; the largest number may be cut."""
    largest = np.maximum(np.abs(groups).max(axis=2), 1e-6) / 7
    best, least = largest.astype(np.float16), np.full(largest.shape, np.inf)
    for share in np.linspace(0.6, 1.0, 9):
        scales = (share * largest).astype(np.float16)
        kept = _whole(groups, scales) * scales.astype(np.float32)[:, :, None]
        error = ((kept - groups) ** 2).sum(axis=2)
        best, least = np.where(error < least, scales, best), np.minimum(error, least)
    return np.asarray(best, np.float16)


def _whole(groups: Floats, scales: npt.NDArray[np.float16]) -> Floats:
    steps = scales.astype(np.float32)[:, :, None]
    return np.asarray(np.clip(np.rint(groups / steps), -7, 7), np.float32)
