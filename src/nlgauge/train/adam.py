"""The optimiser of Kingma and Ba (2015), in NumPy: the same steps give the same numbers."""

from __future__ import annotations

from types import EllipsisType
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

Table = TypeVar("Table", bound=npt.NDArray[Any])


class Adam(Generic[Table]):
    """Adam changes an array, or the rows of it that a batch has, against their gradient."""

    def __init__(self, table: Table, rate: float) -> None:
        self.table, self.rate, self._time = table, rate, 0
        self._first, self._second = np.zeros_like(table), np.zeros_like(table)

    def update(self, rows: npt.NDArray[np.int64] | EllipsisType, gradient: Table) -> None:
        """Take one step; an ellipsis stands for all rows."""
        self._time += 1
        first = 0.9 * self._first[rows] + 0.1 * gradient
        second = 0.999 * self._second[rows] + 0.001 * gradient**2
        self._first[rows], self._second[rows] = first, second
        corrected = first / (1 - 0.9**self._time)
        scale = np.sqrt(second / (1 - 0.999**self._time)) + 1e-8
        self.table[rows] -= self.rate * corrected / scale
