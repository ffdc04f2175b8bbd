"""Hold a column of names, coded as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.intp]
Rows = npt.NDArray[np.bool_] | npt.NDArray[np.intp] | Sequence[int]  # a mask, or indices
NONE = -1  # the code of a row that has no name


@dataclass(frozen=True, eq=False)
class Labels(Sequence[str | None]):
    """Labels are names by row: `names[codes[i]]` is that of row i, and -1 is the code of none."""

    names: tuple[str, ...]
    codes: Codes

    @classmethod
    def build(cls, column: Iterable[str | None], names: Sequence[str] = ()) -> Labels:
        """Number names in their order of appearance, after those given as known."""
        numbers: dict[str, int] = {name: i for i, name in enumerate(names)}
        codes = [
            NONE if name is None else numbers.setdefault(name, len(numbers)) for name in column
        ]
        return cls(tuple(numbers), np.asarray(codes, np.intp))

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, i):  # type: ignore[no-untyped-def]
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        code = self.codes[i]
        return None if code == NONE else self.names[code]

    def take(self, rows: Rows) -> Labels:
        """Return the given rows (indices, or a mask), under the same codes."""
        return Labels(self.names, self.codes[rows])

    def used(self) -> Labels:
        """Return the labels with only the names that occur, in the same order."""
        present = np.unique(self.codes[self.codes != NONE])
        renumbered = np.full(len(self.names) + 1, NONE, np.intp)  # the last is for NONE itself
        renumbered[present] = np.arange(present.size)
        return Labels(tuple(self.names[i] for i in present), renumbered[self.codes])

    def recoded(self, names: Sequence[str]) -> Codes:
        """Return the codes by another list of names; -1 for those that are not in it."""
        numbers = {name: i for i, name in enumerate(names)}
        table = np.array([numbers.get(name, NONE) for name in self.names] + [NONE], np.intp)
        return table[self.codes]
