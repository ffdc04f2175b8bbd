"""Keep the layers of small networks in files, in 8 bits a number, and run them in the native core.

Every row of a result is computed by itself: it does not depend on the rows beside it, to the last
bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import native
from nlgauge.models.encoders.changes import SCALES, packed, unpacked

Singles = npt.NDArray[np.float32]
Arrays = Mapping[str, npt.NDArray[Any]]
NUMBERS = ".numbers"  # of a matrix in 8 bits


def packed_arrays(arrays: Arrays) -> dict[str, npt.NDArray[Any]]:
    """Return arrays for a file: matrices in 8 bits with a scale for each row, all else in single
    precision.
    """
    found: dict[str, npt.NDArray[Any]] = {}
    for name, array in arrays.items():
        if array.ndim == 2:
            found[name + NUMBERS], found[name + SCALES] = packed(array.astype(np.float32), 8)
        else:
            found[name] = array.astype(np.float32)
    return found


def unpacked_arrays(arrays: Arrays) -> dict[str, Singles]:
    """Return the arrays of which `packed_arrays` was made, rounded; raises ValueError if one does
    not fit its scales.
    """
    found: dict[str, Singles] = {}
    for name, array in arrays.items():
        if name.endswith(NUMBERS):
            own = name.removesuffix(NUMBERS)
            scales = arrays.get(own + SCALES)
            if scales is None or array.ndim != 2 or scales.shape != array.shape[:1]:
                raise ValueError(f"{own} has no scale for each row")
            found[own] = unpacked(array, scales)
        elif not name.endswith(SCALES):
            found[name] = np.asarray(array, np.float32)
    return found


class PaddedLayer:
    """A padded layer is a linear layer of any size in the native core, which has sixteens."""

    def __init__(self, arrays: Mapping[str, Singles], name: str, inputs: int) -> None:
        weight, bias = arrays[f"{name}.weight"], arrays[f"{name}.bias"]
        if weight.ndim != 2 or weight.shape[1] != inputs or bias.shape != weight.shape[:1]:
            raise ValueError(f"{name}: {weight.shape} weights and {bias.shape} biases")
        self.outputs = len(weight)
        more = -self.outputs % 16
        self._native = native.Projection(
            np.ascontiguousarray(np.pad(weight, ((0, more), (0, 0)))), np.pad(bias, (0, more))
        )

    def __call__(self, rows: Singles, *, threads: int) -> Singles:
        """Return the layer's outputs for rows: [rows, inputs] -> [rows, outputs]."""
        found = self._native(np.ascontiguousarray(rows, np.float32), threads=threads)
        return np.ascontiguousarray(found[:, : self.outputs])
