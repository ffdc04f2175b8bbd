"""How much of a text a model knows: words that an encoder or word vectors have something for.

Numbers and punctuation are the same in most languages, so only words with a letter count; of a
text without any, its symbols do. Empty texts have no words, and are not unknown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats, Texts

Counts = npt.NDArray[np.int64]
_LETTER = re.compile(r"[^\W\d_]")
_SYMBOL = re.compile(r"[\u2190-\u2bff\U0001f000-\U0001faff]")  # arrows to emoji


def is_word(text: str) -> bool:
    """Return whether a text has a letter."""
    return _LETTER.search(text) is not None


def is_symbol(text: str) -> bool:
    """Return whether a text has no letter, but an arrow, a pictograph or an emoji."""
    return not is_word(text) and _SYMBOL.search(text) is not None


@dataclass(frozen=True, eq=False)
class Coverage:
    """Coverage is what a model knows of each text of a column; every array is [texts]."""

    words: Counts
    unknown: Counts  # words that the model has nothing for
    spelled: Counts  # other words that it can only read letter by letter

    @property
    def foreign(self) -> Counts:
        """Count the words of each text that the model does not know."""
        return self.unknown + self.spelled

    @cached_property
    def blank(self) -> npt.NDArray[np.bool_]:
        """Return which texts have words, and none that the model knows."""
        found: npt.NDArray[np.bool_] = (self.words > 0) & (self.unknown == self.words)
        return found

    @property
    def share(self) -> float:
        """Return the share of words that the model does not know."""
        return float(self.foreign.sum() / max(1, self.words.sum()))


class Lookup(Protocol):
    """A lookup is something that texts are looked up in. Equal ones find the same."""

    @property
    def name(self) -> str:
        """Return what messages call it."""

    @property
    def remedy(self) -> str:
        """Return what to do if it does not know a text."""

    def coverage(self, corpus: Corpus, texts: Texts) -> Coverage:
        """Return what it knows of each text of a corpus."""


@dataclass(frozen=True)
class LanguageDoubt:
    """A doubt is why a model may not know the language of texts, as the rest of a sentence about
    the model, and whether that is reason enough to refuse them.
    """

    told: str
    refused: bool
    remedy: str = ""  # where it differs from that of the lookup


@runtime_checkable
class LanguageLookup(Lookup, Protocol):
    """A language lookup can tell whether its model was made for the language of texts."""

    def doubt(self, corpus: Corpus, texts: Texts, *, sources: bool) -> LanguageDoubt | None:
        """Say why texts of a corpus, or its sources, should not be looked up; None if nothing."""


def word_coverage(
    words: Sequence[str] | Texts,
    known: npt.NDArray[np.bool_],
    numbers: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
) -> Coverage:
    """Count by text from distinct words, which of them are known, and where they occur: word
    `numbers[i]` for i from `starts[t]` on is of text t.
    """
    letters = np.fromiter(map(is_word, words), np.bool_, len(words))
    symbols = np.fromiter(map(is_symbol, words), np.bool_, len(words))

    def counted(chosen: npt.NDArray[np.bool_]) -> tuple[Counts, Counts]:
        # Both counts of a word in one number, so that one pass over all words is enough.
        packed = chosen.astype(np.int64) + ((chosen & ~known).astype(np.int64) << 32)
        sums = np.concatenate([[0], np.cumsum(packed[numbers])])[starts]
        found = np.diff(sums).astype(np.int64)
        return found & 0xFFFFFFFF, found >> 32

    found, unknown = counted(letters)
    if symbols.any():
        some = found > 0
        found, unknown = (
            np.where(some, *both) for both in zip((found, unknown), counted(symbols), strict=True)
        )
    return Coverage(found, unknown, np.zeros_like(unknown))


def segment_counts(side: Coverage, starts: Counts | None) -> Floats:
    """Return unknown words and words of each segment, [segments, 2]; `starts` says where the
    texts of each segment begin if it may have several.
    """
    columns = np.stack([side.foreign, side.words], axis=1).astype(np.float64)
    if starts is None:
        return columns
    sums = np.concatenate([np.zeros((1, 2)), np.cumsum(columns, axis=0)])
    return np.diff(sums[starts], axis=0)
