"""Predict by several predictors at once, each on features of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.models.predictors.kernel_predictor import KernelPredictor
from nlgauge.models.predictors.linear_predictor import LinearPredictor
from nlgauge.models.predictors.predictor import Arrays, Predictor, matrix, vector

KINDS: dict[str, type[Any]] = {"linear": LinearPredictor, "kernel": KernelPredictor}


@dataclass(frozen=True, eq=False)
class EnsembleMember:
    """A member is a predictor, the features that it looks at, and what its word is worth."""

    kind: str  # one of KINDS
    predictor: Predictor
    columns: slice
    mean: float  # of what it predicts of training rows
    deviation: float
    weight: float

    def predict(self, features: Floats) -> Floats:
        """Return the weighted prediction in standard deviations of its own."""
        found = self.predictor.predict(np.ascontiguousarray(features[:, self.columns]))
        weighted: Floats = self.weight * (found - self.mean) / self.deviation
        return weighted


@dataclass(frozen=True, eq=False)
class EnsemblePredictor:
    """An ensemble adds up what its members say, and stretches it to the scale of the ratings."""

    members: Sequence[EnsembleMember]
    slope: float

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> EnsemblePredictor:
        """Rebuild the ensemble that `arrays` made ready for a file."""
        members = []
        for row, (kind, *numbers) in enumerate(matrix(arrays, "members").tolist()):
            own = {
                name.removeprefix(f"member.{row}."): array
                for name, array in arrays.items()
                if name.startswith(f"member.{row}.")
            }
            if int(kind) not in range(len(KINDS)):
                raise DataError(f"the model has a member of an unknown kind, {kind:g}")
            name = list(KINDS)[int(kind)]
            start, stop, mean, deviation, weight = numbers
            columns = slice(int(start), int(stop))
            predictor = KINDS[name].from_arrays(own)
            members.append(EnsembleMember(name, predictor, columns, mean, deviation, weight))
        return cls(members, float(vector(arrays, "slope")[0]))

    def predict(self, features: Floats) -> Floats:
        """Return the stretched sums of what all members say."""
        total = np.zeros(len(features))
        for member in self.members:
            total = total + member.predict(features)
        return self.slope * total

    def usual(self, width: int) -> Floats:
        """Return the means of so many features over training rows, as linear members know them."""
        found = np.zeros(width)
        for member in self.members:
            if isinstance(member.predictor, LinearPredictor):
                found[member.columns] = member.predictor.scaler.shift
        return found

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a file."""
        found: dict[str, npt.NDArray[Any]] = {"slope": np.array([self.slope])}
        rows = []
        for row, member in enumerate(self.members):
            kind = list(KINDS).index(member.kind)
            span = member.columns.start, member.columns.stop
            rows.append([kind, *span, member.mean, member.deviation, member.weight])
            own = member.predictor.arrays()
            found.update({f"member.{row}.{name}": array for name, array in own.items()})
        return {**found, "members": np.array(rows, np.float64)}
