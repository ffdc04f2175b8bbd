"""Cut words as the structure models see them: into word pieces, and the shape that an encoder
without capitals does not see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nlgauge.errors import DataError
from nlgauge.models.encoders.piece_reader import read_word_pieces

Ints = npt.NDArray[np.int32]
SHAPES = 6
LONGEST = 64  # pieces of a word; what is beyond is not looked at
TOGETHER = 150  # words of a sentence that are analysed together: spans are many


def shape(word: str) -> int:
    """Return the shape of a word, its capitals and digits, which tells `US` from `us`."""
    if any(c.isdigit() for c in word):
        return 4
    if not any(c.isalpha() for c in word):
        return 5
    if not any(c.isupper() for c in word):
        return 0
    if word[0].isupper() and not any(c.isupper() for c in word[1:]):
        return 1
    return 2 if len(word) > 1 and not any(c.islower() for c in word) else 3


@dataclass(frozen=True, eq=False)
class PiecedSentence:
    """A pieced sentence is one in pieces, of which the first and the last stand for its ends."""

    ids: Ints
    shapes: Ints
    first: Ints  # by word, its first piece and its last
    last: Ints

    def __len__(self) -> int:
        return len(self.first)


class WordReader:
    """A word reader cuts each word into one or more pieces, by the `tokenizer.json` of a model."""

    def __init__(self, path: Path, limit: int) -> None:
        found = read_word_pieces(path)
        if found is None:
            raise DataError(f"{path}: does not describe word pieces")
        self.limit = limit
        self._word_pieces = found
        self._known: dict[str, tuple[list[int], int]] = {}

    def word(self, word: str) -> tuple[list[int], int]:
        """Return the pieces and the shape of a word."""
        found = self._known.get(word)
        if found is None:
            clean = word.encode("utf-8", "replace").decode()
            ids = self._word_pieces.ids(clean)
            found = (ids[:LONGEST] or [self._word_pieces.unknown_id], shape(word))
            if len(self._known) < 100_000:
                self._known[word] = found
        return found

    def sentence(self, words: Sequence[str]) -> PiecedSentence:
        """Return all pieces of a sentence; the caller sees to the limit."""
        ids, shapes, first, last = [self._word_pieces.start], [0], [], []
        for word in words:
            pieces, kind = self.word(word)
            first.append(len(ids))
            ids += pieces
            shapes += [kind] * len(pieces)
            last.append(len(ids) - 1)
        columns = ([*ids, self._word_pieces.end], [*shapes, 0], first, last)
        return PiecedSentence(*(np.array(column, np.int32) for column in columns))

    def parts(self, words: Sequence[str]) -> list[list[str]]:
        """Return the words in as few parts as the limits allow."""
        found: list[list[str]] = [[]]
        room = self.limit - 2
        for word in words:
            size = len(self.word(word)[0])
            if found[-1] and (size > room or len(found[-1]) == TOGETHER):
                found.append([])
                room = self.limit - 2
            found[-1].append(word)
            room -= size
        return found
