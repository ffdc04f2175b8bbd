"""A document as sentences and weighted words, and the summaries taken from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.text.preparation import Preparation
from nlgauge.text.sentences import sentences


@dataclass(frozen=True, kw_only=True)
class Length:
    """A length says how long a summary may be: the first of these that is given; at least one
    sentence.
    """

    sentences: int | None = None
    words: int | None = None  # sentences that would exceed it are passed over
    share: float = 0.1  # of the document's sentences, as in Murray et al. (2005)

    def __post_init__(self) -> None:
        for name in ("sentences", "words"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise SpecError(f"{name}={value}: a summary has at least one")
        if not 0 < self.share <= 1:
            raise SpecError(f"share={self.share:g}: give a share of the sentences, up to 1")
        if self.sentences is not None and self.words is not None:
            raise SpecError("sentences and words are both given; keep one")


@dataclass(frozen=True)
class Summary:
    """A summary consists of sentences of a document, in its order."""

    indices: tuple[int, ...]
    sentences: tuple[str, ...]
    picked: tuple[int, ...]  # the same indices, in the order in which they were chosen

    @property
    def text(self) -> str:
        """Return the sentences, divided by blanks."""
        return " ".join(sentence.strip() for sentence in self.sentences)


@dataclass(frozen=True, eq=False)
class Document:
    """A document has sentences, and the words that count for comparing them."""

    sentences: tuple[str, ...]
    lengths: tuple[int, ...]  # in words between blanks
    vectors: Floats = field(repr=False)  # [sentences, terms], tf·idf
    terms: tuple[int, ...] = field(repr=False)  # the number of different words that count

    @classmethod
    def build(cls, document: str | Sequence[str], *, stop: str = "smart") -> Document:
        """Build a document from a text, or from its sentences; words are those of any script in
        lower case, without the stop words of that list.
        """
        given = sentences(document) if isinstance(document, str) else document
        split = [sentence for sentence in given if sentence.strip()]
        preparation = Preparation("unicode", lowercase=True, stop=stop)
        words = preparation.words(split) if split else []
        lengths = tuple(len(sentence.split()) for sentence in split)
        terms = tuple(len(set(sentence)) for sentence in words)
        return cls(tuple(split), lengths, tf_idf(words), terms)

    def most(self, length: Length) -> int:
        """Return how many sentences a summary of this length can have."""
        n = len(self.sentences)
        if length.sentences is not None:
            return min(length.sentences, n)
        return n if length.words is not None else max(1, math.floor(length.share * n + 0.5))

    def fits(self, i: int, picked: Sequence[int], length: Length) -> bool:
        """Return whether sentence `i` can join those picked."""
        if len(picked) == self.most(length):
            return False
        words = sum(self.lengths[k] for k in (*picked, i))
        return length.words is None or words <= length.words

    def summary(self, order: Sequence[int], length: Length) -> Summary:
        """Make a summary of sentences in the order of their rank, as many as fit; the first if none
        does.
        """
        picked: list[int] = []
        for i in order:
            if self.fits(i, picked, length):
                picked.append(int(i))
        picked = picked or [int(i) for i in order[:1]]
        chosen = sorted(picked)
        return Summary(tuple(chosen), tuple(self.sentences[i] for i in chosen), tuple(picked))


def tf_idf(words: Sequence[Sequence[str]]) -> Floats:
    """Weight words by count × ln(sentences / sentences with the word), [sentences, terms]. Where
    every sentence has every word, all weights would be 0; counts stand then.
    """
    terms: dict[str, int] = {}
    for sentence in words:
        for word in sentence:
            terms.setdefault(word, len(terms))
    counts = np.zeros((len(words), len(terms)))
    for i, sentence in enumerate(words):
        for word in sentence:
            counts[i, terms[word]] += 1
    if not counts.size:
        return counts
    weighted: Floats = counts * np.log(len(words) / (counts > 0).sum(axis=0))
    return weighted if weighted.any() else counts


def cosine(vectors: Floats, other: Floats) -> Floats:
    """Return the cosine of each row with one vector; 0 where one of them is empty."""
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(other)
    out = np.zeros(len(vectors))
    np.divide(vectors @ other, lengths, out=out, where=lengths > 0)
    return out
