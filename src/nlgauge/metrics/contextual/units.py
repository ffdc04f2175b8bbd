"""What YiSi compares: the words of a text, or their pieces, and how similar two of them are."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nlgauge.core.arithmetic import unit_vectors
from nlgauge.kernels import Floats, native

if TYPE_CHECKING:
    from nlgauge.models.cache.embeddings import EncodedText
    from nlgauge.models.encoders.encoder import Pieces
    from nlgauge.models.vectors.word_vectors import WordVectors

Bools = npt.NDArray[np.bool_]
# Half characters, which no encoding has, as private ones of the last plane.
_LONE = {half: half + 0x100000 for half in range(0xD800, 0xE000)}
_UNLIKE = 1e-5  # YiSi fd07bfc: the similarity of different words in exact matching


@dataclass(frozen=True, eq=False)
class TextUnits:
    """The words of one text, or its pieces, with their vectors."""

    words: tuple[str, ...]  # by which they weigh
    vectors: Floats | None = None  # [units, d], of length 1; 0: unknown
    contextual: bool = False
    surfaces: tuple[str, ...] = ()  # how they stand in the text, if not as their words
    rarities: Floats | None = None  # as the encoder knows them, without any corpus
    pieces: TextUnits | None = None  # of words, if these are compared as well
    within: tuple[str, ...] = ()  # the word that each piece is a part of

    def __len__(self) -> int:
        return len(self.words)


def with_vectors(
    texts: Sequence[Sequence[str]], vectors: WordVectors, tool: bool
) -> list[TextUnits]:
    """Return the words of each text with static vectors; words are looked up as they are, then in
    lower case. Others have the vector of <unk>, if there is one.
    """
    words = list(dict.fromkeys(word for text in texts for word in text))
    rows, lowered = vectors.rows(words), vectors.rows([lower(word, tool) for word in words])
    rows = np.where(rows >= 0, rows, lowered)
    rows = np.where(rows >= 0, rows, vectors.rows(["<unk>"]))
    known = np.where(rows[:, None] >= 0, vectors.matrix[np.maximum(rows, 0)], 0.0)
    unit = unit_vectors(known.astype(np.float64))
    places = {word: place for place, word in enumerate(words)}
    return [
        TextUnits(tuple(text), unit[np.array([places[word] for word in text], np.int64)])
        for text in texts
    ]


def with_states(text: str, encoded: EncodedText, rarities: Floats | None = None) -> TextUnits:
    """Return the pieces of a text with the vectors of one layer."""
    kept = ~encoded.pieces.special
    words = [w for w, keep in zip(encoded.pieces.strings, kept, strict=True) if keep]
    surfaces = [text[start:end] for start, end in encoded.pieces.spans[kept]]
    vectors = unit_vectors(encoded.states[0][kept].astype(np.float64))
    own = None if rarities is None else rarities[kept]
    whole = words_of(text, encoded.pieces)
    within = tuple(whole[number] for number in encoded.pieces.words[kept])
    return TextUnits(tuple(words), vectors, True, tuple(surfaces), own, within=within)


def whole_words(text: str, encoded: EncodedText, rarities: Floats | None = None) -> TextUnits:
    """Return the words of a text; their vectors are sums of their pieces', and they are as rare as
    all their pieces together.
    """
    pieces = encoded.pieces
    kept = np.flatnonzero(~pieces.special)
    if not len(kept):
        return with_states(text, encoded, rarities)
    starts = np.flatnonzero(np.diff(pieces.words[kept], prepend=-1))
    sums = np.add.reduceat(encoded.states[0][kept], starts, axis=0, dtype=np.float64)
    own = None if rarities is None else np.add.reduceat(rarities[kept], starts)
    words = words_of(text, pieces)
    return TextUnits(words, unit_vectors(sums), True, words, own)


def words_and_pieces(text: str, encoded: EncodedText, rarities: Floats | None = None) -> TextUnits:
    """Return the words of a text, with its pieces beside them."""
    pieces = with_states(text, encoded, rarities)
    return replace(whole_words(text, encoded, rarities), pieces=pieces)


def words_of(text: str, pieces: Pieces) -> tuple[str, ...]:
    """Return the words of a text that pieces stand for."""
    kept = np.flatnonzero(~pieces.special)
    starts = np.flatnonzero(np.diff(pieces.words[kept], prepend=-1))
    spans = pieces.spans[kept]
    return tuple(text[spans[i, 0] : spans[j - 1, 1]] for i, j in pairwise([*starts, len(kept)]))


def similarities(hyp: TextUnits, ref: TextUnits, *, substring: bool, tool: bool) -> Floats:
    """Compute the similarities of all units of two texts: [hyp, ref].

    Cosines below 0 count as 0. Static vectors cannot tell a word's occurrences apart, and words
    that are equal but for case have 1 even if they are unknown.
    """
    if hyp.vectors is not None and ref.vectors is not None:
        found: Floats = hyp.vectors @ ref.vectors.T
        np.clip(found, 0.0, 1.0, out=found)
        if not hyp.contextual:
            lowered = ([lower(word, tool) for word in text.words] for text in (hyp, ref))
            found[_equal(*lowered)] = 1.0
        return found
    if substring:
        words = ([word.translate(_LONE) for word in text.words] for text in (hyp, ref))
        return native.substring_similarities(*words, bytes=tool)
    return np.where(_equal(hyp.words, ref.words), 1.0, _UNLIKE if tool else 0.0)


def copied(hyp: TextUnits, source: TextUnits) -> tuple[Bools, Bools]:
    """Return which units of a hypothesis, and of its source, stand in the other text, too, by
    themselves or as parts of a word; numbers and marks are not counted, which a translation keeps.
    """
    found = [np.zeros(len(text), np.bool_) for text in (hyp, source)]
    for sides in ((hyp.words, source.words), (hyp.within, source.within)):
        own, others = (list(map(_bare, side)) for side in sides)
        both = {word for word in set(own) & set(others) if word}
        for flags, words in zip(found, (own, others), strict=True):
            flags[: len(words)] |= np.array([word in both for word in words], np.bool_)
    return found[0], found[1]


@lru_cache(maxsize=1 << 16)
def _bare(word: str) -> str:
    """Return the letters and digits of a word, whatever their case and width; nothing of a word
    without letters.
    """
    folded = unicodedata.normalize("NFKC", word).casefold()
    letters = any(map(str.isalpha, folded))
    return "".join(filter(str.isalnum, folded)) if letters else ""


def without_copies(similarities: Floats, hyp: TextUnits, source: TextUnits) -> Floats:
    """Return similarities [hyp, source] in which copied units match nothing."""
    own, others = copied(hyp, source)
    return np.where(own[:, None] | others, 0.0, similarities)


def _equal(hyp: Sequence[str], ref: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Return which words of two texts are the same: [hyp, ref]."""
    numbers: dict[str, int] = {}
    places = [
        np.array([numbers.setdefault(w, len(numbers)) for w in text], np.int64)
        for text in (hyp, ref)
    ]
    return np.equal(*np.ix_(*places))


def lower(word: str, tool: bool) -> str:
    """Return a word in lower case; the tool knows ASCII only."""
    if not tool:
        return word.lower()
    return "".join(chr(ord(c) | 0x20) if "A" <= c <= "Z" else c for c in word)
