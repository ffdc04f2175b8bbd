"""Cut pairs of texts into pieces for encoders that read both texts at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlgauge.models.encoders.encoder import Encoder, Ints

SPECIAL = 3  # the piece at the start, and one after each of the two texts


@dataclass(frozen=True, eq=False)
class PairPieces:
    """These are the pieces of two texts in a row, as [CLS] first [SEP] second [SEP]."""

    ids: Ints
    first: int  # how many pieces the first text has, special ones aside
    lost: int = 0  # pieces of both texts beyond the encoder's limit

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def second(self) -> int:
        """Return how many pieces the second text has, special ones aside."""
        return len(self.ids) - self.first - SPECIAL

    @property
    def is_copy(self) -> bool:
        """Return whether both texts have the same pieces, all of which are here, and some."""
        start = self.first + 2
        same = np.array_equal(self.ids[1 : start - 1], self.ids[start:-1])
        return same and self.first > 0 and not self.lost

    @property
    def kinds(self) -> Ints:
        """Return 0 for pieces of the first text and the special ones around it, 1 for the rest."""
        return np.repeat(np.array([0, 1], np.int32), [self.first + 2, self.second + 1])


def pair_pieces(encoder: Encoder, pairs: Sequence[tuple[str, str]]) -> list[PairPieces]:
    """Return the pieces of pairs; of a pair that is too long, both texts lose in proportion."""
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    read = dict(zip(texts, encoder.pieces(texts), strict=True))
    start, end = _ends(encoder)
    found = []
    for left, right in pairs:
        first, second = read[left], read[right]
        ids = [first.ids[~first.special], second.ids[~second.special]]
        sizes = [len(ids[0]) + first.lost, len(ids[1]) + second.lost]
        kept = _kept(sizes, encoder.limit - SPECIAL)
        row = np.concatenate([start, ids[0][: kept[0]], end, ids[1][: kept[1]], end])
        found.append(PairPieces(row.astype(np.int32), kept[0], sum(sizes) - sum(kept)))
    return found


def _ends(encoder: Encoder) -> tuple[Ints, Ints]:
    """Return the piece that starts a text, and the one that ends it."""
    (empty,) = encoder.pieces([""])
    return empty.ids[:1], empty.ids[1:]


def _kept(sizes: list[int], room: int) -> list[int]:
    """Return how many pieces of two texts stay where there is room for so many."""
    total = sum(sizes)
    if total <= room:
        return sizes
    first = min(max(1, round(room * sizes[0] / total)), room - 1) if all(sizes) else sizes[0]
    first = min(first, room)
    return [first, min(sizes[1], room - first)]
