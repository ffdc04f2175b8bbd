"""Sum up the columns of vectors in one, which a predictor looks at beside features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.models.predictors.linear_predictor import LinearPredictor
from nlgauge.models.predictors.predictor import Arrays


@dataclass(frozen=True, eq=False)
class VectorSummary:
    """A summary is what a linear predictor says of the last columns, in place of these."""

    predictor: LinearPredictor

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> VectorSummary:
        """Rebuild the summary that `arrays` made ready for a file."""
        return cls(LinearPredictor.from_arrays(arrays))

    @property
    def width(self) -> int:
        """Return how many columns are summed up."""
        return len(self.predictor.weights)

    def said(self, vectors: Floats) -> Floats:
        """Return what is said of vectors, [rows, width] -> [rows]; a row's sum does not depend on
        the rows beside it, and there are too many columns to add them up one by one.
        """
        scaled = np.ascontiguousarray(self.predictor.scaler(vectors))
        sums: Floats = np.einsum("ij,j->i", scaled, self.predictor.weights)
        return self.predictor.intercept + sums

    def joined(self, columns: Floats) -> Floats:
        """Return features, and what is said of the vectors behind them."""
        at = columns.shape[1] - self.width
        if at < 0:
            raise DataError(f"the model sums up {self.width} columns of {columns.shape[1]}")
        return np.column_stack([columns[:, :at], self.said(columns[:, at:])])

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a file."""
        return self.predictor.arrays()
