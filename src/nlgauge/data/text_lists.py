"""Hold any number of texts for every segment, packed: references, turns, facts, documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Texts

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True, eq=False)
class TextLists(Sequence[list[str]]):
    """Every segment has any number of texts: `lists[i]` is a list of str."""

    flat: Texts
    starts: npt.NDArray[
        np.int64
    ]  # [segments + 1]; those of segment i are flat[starts[i]:starts[i+1]]

    @classmethod
    def build(cls, per_segment: Iterable[Sequence[str]]) -> Self:
        """Pack one sequence of texts for every segment."""
        return cls(*Texts.from_lists(list(per_segment)))

    @classmethod
    def single(cls, texts: Texts) -> Self:
        """Take each text as the only one of a segment."""
        return cls(texts, np.arange(len(texts) + 1, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        if not -len(self) <= i < len(self):
            raise IndexError(i)
        i %= len(self)
        return [self.flat[k] for k in range(self.starts[i], self.starts[i + 1])]

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """Return how many texts each segment has."""
        return np.diff(self.starts)

    @property
    def counts_of_said(self) -> npt.NDArray[np.int64]:
        """Return how many texts of each segment are not blank."""
        said = [bool(text.strip()) for text in self.flat]
        before = np.concatenate([[0], np.cumsum(said, dtype=np.int64)])
        return np.asarray(before[self.starts[1:]] - before[self.starts[:-1]])

    def places(self, rows: Sequence[int]) -> npt.NDArray[np.int64]:
        """Return where the texts of some segments stand in `flat`, in the order of the segments."""
        ranges = [np.arange(self.starts[i], self.starts[i + 1]) for i in rows]
        return np.concatenate([np.zeros(0, np.int64), *ranges])
