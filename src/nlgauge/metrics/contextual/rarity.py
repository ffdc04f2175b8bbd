"""Inverse document frequencies of pieces, as bert-score and MoverScore have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Floats
from nlgauge.models.encoders.encoder import Pieces


@dataclass(frozen=True, eq=False)
class PieceRarity:
    """In how many texts each piece occurs."""

    found: Counter[int]
    texts: int

    @classmethod
    def of(cls, texts: Sequence[Pieces]) -> PieceRarity:
        """Of all pieces of the texts."""
        return cls(Counter(i for text in texts for i in set(text.ids.tolist())), len(texts))

    @cached_property
    def _weights(self) -> Floats:
        counts = np.zeros(max(self.found, default=0) + 1)
        counts[list(self.found)] = list(self.found.values())
        weights: Floats = np.log((self.texts + 1) / (counts + 1))
        return weights

    def weights(self, ids: npt.NDArray[np.int32]) -> Floats:
        """idf of each piece."""
        known = ids < len(self._weights)
        return np.where(known, self._weights[np.where(known, ids, 0)], np.log(self.texts + 1))
