"""Inverse document frequencies: of pieces as in bert-score and MoverScore, of words as in YiSi."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Floats
from nlgauge.metrics.contextual.units import lower
from nlgauge.models.encoders.encoder import Pieces

PieceCounts = tuple[Counter[int], int]  # in how many texts each piece occurs, and of how many


def counted_pieces(texts: Sequence[Pieces]) -> PieceCounts:
    """Count in how many texts each piece occurs, and the texts: what a rarity is made of."""
    return Counter(i for text in texts for i in set(text.ids.tolist())), len(texts)


@dataclass(frozen=True, eq=False)
class PieceRarity:
    """Counts of how many texts each piece occurs in."""

    found: Counter[int]
    texts: int

    @cached_property
    def _weights(self) -> Floats:
        counts = np.zeros(max(self.found, default=0) + 1)
        counts[list(self.found)] = list(self.found.values())
        weights: Floats = np.log((self.texts + 1) / (counts + 1))
        return weights

    def weights(self, ids: npt.NDArray[np.int32]) -> Floats:
        """Return the inverse document frequency of each piece."""
        known = ids < len(self._weights)
        return np.where(known, self._weights[np.where(known, ids, 0)], np.log(self.texts + 1))


@dataclass(frozen=True)
class WordRarity:
    """Counts of how many texts each word occurs in."""

    found: Counter[str]
    texts: int

    @classmethod
    def nothing(cls) -> WordRarity:
        """Return counts of no texts, for units that have weights of their own."""
        return cls(Counter(), 0)

    def weights(self, words: Iterable[str], *, tool: bool) -> Floats:
        """Return the weight of each word; the tool looks up unknown words in lower case."""
        return np.array([self._weight(word, tool) for word in words], np.float64)

    def _weight(self, word: str, tool: bool) -> float:
        count = self.found[word] or (self.found[lower(word, tool)] if tool else 0)
        return math.log2(1 + (self.texts + 1) / (count + 1))
