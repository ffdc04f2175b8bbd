"""How much of a text a model knows: words that an encoder or word vectors have something for.

Numbers and punctuation are the same in most languages, so only words with a letter count; of a
text without any, its symbols do. Empty texts have no words, and are not unknown.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats, Texts
from nlgauge.text.preparation import Preparation

if TYPE_CHECKING:  # a run without a model does not load them
    from nlgauge.models.encoders.encoder import Encoder, Pieces
    from nlgauge.models.vectors.word_vectors import IndexedVectors, Rows

Counts = npt.NDArray[np.int64]
_LETTER = re.compile(r"[^\W\d_]")
_SYMBOL = re.compile(r"[\u2190-\u2bff\U0001f000-\U0001faff]")  # arrows to emoji


@dataclass(frozen=True, eq=False)
class Coverage:
    """What is known of each text of a column; every array is [texts]."""

    words: Counts
    unknown: Counts  # words that the model has nothing for
    spelled: Counts  # other words that it can only read letter by letter

    @property
    def foreign(self) -> Counts:
        """How many words of each text the model does not know."""
        return self.unknown + self.spelled

    @cached_property
    def blank(self) -> npt.NDArray[np.bool_]:
        """Which texts have words, and none that the model knows."""
        found: npt.NDArray[np.bool_] = (self.words > 0) & (self.unknown == self.words)
        return found

    @property
    def share(self) -> float:
        """The share of words that the model does not know."""
        return float(self.foreign.sum() / max(1, self.words.sum()))


class Lookup(Protocol):
    """Something that texts are looked up in. Equal ones find the same."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def remedy(self) -> str:
        """What to do if it does not know a text."""

    def coverage(self, corpus: Corpus, texts: Texts) -> Coverage:
        """What it knows of each text of a corpus."""


@dataclass(frozen=True)
class PieceLookup:
    """The pieces of an encoder."""

    encoder: Encoder
    lowercase: bool = False

    @property
    def name(self) -> str:
        """The model, without the hash of its weights."""
        return _bare(self.encoder.name)

    @property
    def remedy(self) -> str:
        """Another encoder."""
        return "give the folder of an encoder that knows the language: model=FOLDER"

    def coverage(self, corpus: Corpus, texts: Texts) -> Coverage:  # noqa: ARG002
        """Of unknown words, half or more is in unknown pieces; spelled ones have several pieces of
        one character each.
        """
        cased = [text.lower() for text in texts] if self.lowercase else list(texts)
        distinct = list(dict.fromkeys(cased))
        found = zip(distinct, self.encoder.pieces(distinct), strict=True)
        counts = {text: _counted(text, pieces) for text, pieces in found}
        columns = np.array([counts[text] for text in cased], np.int64).reshape(-1, 3)
        return Coverage(*columns.T)


def _counted(text: str, pieces: Pieces) -> tuple[int, int, int]:
    """Words, unknown words and spelled words of a text."""
    letters: list[tuple[bool, bool]] = []
    symbols: list[tuple[bool, bool]] = []
    unknown = pieces.unknown
    own = np.flatnonzero(~pieces.special).tolist()
    spans = pieces.spans.tolist()
    for _, group in groupby(own, key=pieces.words.tolist().__getitem__):
        places = list(group)
        word = text[spans[places[0]][0] : spans[places[-1]][1]]
        kind = letters if _LETTER.search(word) else symbols if _SYMBOL.search(word) else None
        if kind is not None:
            lost = 2 * sum(_length(spans[i]) for i in places if unknown[i]) >= len(word)
            alone = len(places) > 1 and all(_length(spans[i]) <= 1 for i in places)
            kind.append((lost, alone and not lost))
    counted = letters or symbols
    return len(counted), sum(lost for lost, _ in counted), sum(alone for _, alone in counted)


def _length(span: Sequence[int]) -> int:
    return span[1] - span[0]


@dataclass(frozen=True, eq=False)
class NumberedWords:
    """The distinct words of a column of texts, where in the vectors each is, and where each text
    has which: `numbers[starts[t]:starts[t + 1]]` are those of text t.
    """

    words: Texts | Sequence[str]
    rows: Rows  # -1: no vector
    numbers: npt.NDArray[np.int32]
    starts: Counts


@dataclass(frozen=True)
class WordLookup:
    """Word vectors, and how texts are split into words."""

    vectors: IndexedVectors
    preparation: Preparation
    folded: bool = False  # words without a vector are looked up in lower case, too

    @property
    def name(self) -> str:
        """The vectors, without their hash."""
        return _bare(self.vectors.name)

    @property
    def remedy(self) -> str:
        """Other vectors, and words that they may have."""
        return "give vectors of the language (vectors=FILE), and a tokeniser that finds its words"

    def numbered(self, corpus: Corpus, texts: Texts) -> NumberedWords:
        """The words of texts of a corpus, found once for all metrics that look them up alike."""
        return corpus.once(("numbered", self), texts, lambda: self._numbered(texts))

    def _numbered(self, texts: Texts) -> NumberedWords:
        numbers, starts, words = self.preparation.numbered(texts)
        rows = self.vectors.rows(words)
        if self.folded:
            rows = np.where(rows < 0, self.vectors.rows([w.lower() for w in words]), rows)
        return NumberedWords(words, rows, numbers, starts)

    def coverage(self, corpus: Corpus, texts: Texts) -> Coverage:
        """Unknown words have no vector."""
        found = self.numbered(corpus, texts)
        return word_coverage(found.words, found.rows >= 0, found.numbers, found.starts)


@dataclass(frozen=True)
class SetLookup:
    """A set of words, or whatever can tell whether it knows a word."""

    name: str
    known: Container[str]
    preparation: Preparation
    remedy: str = "give a file that was made for the language"

    def coverage(self, corpus: Corpus, texts: Texts) -> Coverage:  # noqa: ARG002
        """Unknown words are not in the set."""
        numbers, starts, words = self.preparation.numbered(texts)
        known = np.fromiter((word in self.known for word in words), np.bool_, len(words))
        return word_coverage(words, known, numbers, starts)


def _bare(name: str) -> str:
    """Return a name as in signatures without the hash at its end."""
    return name.rpartition(" ")[0] or name


def word_coverage(
    words: Sequence[str] | Texts,
    known: npt.NDArray[np.bool_],
    numbers: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
) -> Coverage:
    """Count by text from distinct words, which of them are known, and where they occur: word
    `numbers[i]` for i from `starts[t]` on is of text t.
    """
    letters = np.fromiter((bool(_LETTER.search(w)) for w in words), np.bool_, len(words))
    symbols = np.fromiter((bool(_SYMBOL.search(w)) for w in words), np.bool_, len(words)) & ~letters

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
