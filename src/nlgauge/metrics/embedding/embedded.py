"""What metrics on word vectors have in common: words become rows of a matrix, once for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from nlgauge.core.arithmetic import unit_vectors
from nlgauge.core.best_reference import ReferencePairs
from nlgauge.core.metric import State
from nlgauge.core.options import option
from nlgauge.core.understanding.lookup import LookupMetric
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats, checked_threads, native
from nlgauge.models.lookups import NumberedWords, WordLookup
from nlgauge.models.vectors.word_vectors import HELP, IndexedVectors, Matrix, Rows, find_vectors
from nlgauge.text.preparation import Preparation

Unknown = Literal["skip", "mean", "zero", "tiny"]
TINY = 1e-10  # in every dimension
TASKS = ("MT", "AS", "DG", "IC", "QA", "D2T")


@dataclass(frozen=True, eq=False)
class WordRows:
    """The words of hypotheses and, after them, of references, as rows of a matrix."""

    vectors: Matrix  # [points, width]: of the words that occur
    words: npt.NDArray[np.int32]  # of all texts; -1: unknown, and skipped
    starts: npt.NDArray[np.int64]  # [texts + 1]
    unknown: npt.NDArray[np.bool_]  # which of the words
    pairs: ReferencePairs
    right: npt.NDArray[np.int64]  # by pair: the text that is its reference

    def unit(self) -> Matrix:
        """Return the vectors with length 1, in single precision as gensim's."""
        return unit_vectors(self.vectors)

    def arguments(self) -> tuple[Any, ...]:
        """Return what native functions over pairs take after the matrix."""
        return self.words, self.starts, self.pairs.hyps, self.right

    def empty(self) -> npt.NDArray[np.bool_]:
        """Return which texts have no words that count."""
        known = np.concatenate([[0], np.cumsum(self.words >= 0)])
        empty: npt.NDArray[np.bool_] = np.diff(known[self.starts]) == 0
        return empty

    def shares(self) -> Floats:
        """Return the share of unknown words of every text."""
        unknown = np.concatenate([[0], np.cumsum(self.unknown)])[self.starts]
        shares: Floats = np.diff(unknown) / np.maximum(np.diff(self.starts), 1)
        return shares


@dataclass(frozen=True, eq=False)
class WordPair:
    """The words of two texts, and the rows of a matrix they are; -1: unknown, and skipped."""

    hyp: list[str]
    ref: list[str]
    vectors: Matrix
    hyp_rows: npt.NDArray[np.int32]
    ref_rows: npt.NDArray[np.int32]

    def known(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the places of words that count."""
        return np.flatnonzero(self.hyp_rows >= 0), np.flatnonzero(self.ref_rows >= 0)

    def sides(self, *, unit: bool) -> tuple[Floats, Floats]:
        """Return the vectors of these words."""
        vectors = self.vectors.astype(np.float64)
        if unit:
            vectors = unit_vectors(vectors)
        return vectors[self.hyp_rows[self.hyp_rows >= 0]], vectors[
            self.ref_rows[self.ref_rows >= 0]
        ]

    def cosines(self) -> Floats:
        """Return the cosines of these words: [hyp, ref]."""
        hyp, ref = self.sides(unit=True)
        cosines: Floats = hyp @ ref.T
        return cosines

    def distances(self, *, unit: bool) -> Floats:
        """Return the distances of these words: [hyp, ref]."""
        hyp, ref = self.sides(unit=unit)
        distances: Floats = np.sqrt(((hyp[:, None] - ref[None]) ** 2).sum(axis=2))
        return distances


@dataclass(frozen=True, kw_only=True)
class EmbeddingMetric(LookupMetric[State]):
    """A metric that looks up the words of hypotheses and references."""

    vectors: str = option("glove", HELP)
    tokenizer: str = option(
        "13a", "how texts are split into words: see `nlgauge metrics --tokenizers`"
    )
    lowercase: bool = option(True, "ignore case; GloVe's words are in lower case")
    stop: Literal["none", "smart"] = option("none", "leave these words out")
    unknown: Unknown = option(
        "skip",
        "words without a vector are left out, or get the mean of all vectors, zeros, or a tiny "
        "number in every dimension, as an empty text does",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preparation()

    def preparation(self) -> Preparation:
        """Return how texts are split into words."""
        return Preparation(self.tokenizer, lowercase=self.lowercase, stop=self.stop)

    def resources(self) -> dict[str, str]:
        """Name the vectors, and the tokeniser's dictionary."""
        return {"vectors": find_vectors(self.vectors).name, **self.preparation().resources()}

    def lookup(self) -> WordLookup:
        """Return the vectors that words are looked up in."""
        return WordLookup(find_vectors(self.vectors), self.preparation())

    def points(self, corpus: Corpus) -> WordRows:
        """Return the words of a corpus, found once for all metrics that look at it alike."""
        vectors = find_vectors(self.vectors)
        key = ("points", self.preparation(), self.unknown, vectors.name, id(corpus.references.flat))
        return corpus.once(key, corpus.hypotheses, lambda: self._points(corpus, vectors))

    def _points(self, corpus: Corpus, vectors: IndexedVectors) -> WordRows:
        lookup = self.lookup()
        hyps = lookup.numbered(corpus, corpus.hypotheses)
        refs = lookup.numbered(corpus, corpus.references.flat)
        known = np.unique(np.concatenate([hyps.rows, refs.rows]))
        known = known[known >= 0]
        matrix = np.ascontiguousarray(vectors.matrix[known], np.float32)
        other = -1  # the row of words without a vector
        if self.unknown != "skip":
            other = len(matrix)
            fill = TINY if self.unknown == "tiny" else 0.0
            mean = self.unknown == "mean"
            row = vectors.mean if mean else np.full(matrix.shape[1], fill, np.float32)
            matrix = np.vstack([matrix, row])
        words, unknown = zip(*(_placed(side, known, other) for side in (hyps, refs)), strict=True)
        size = len(corpus)
        return WordRows(
            vectors=matrix,
            words=np.concatenate(words),
            starts=np.concatenate([hyps.starts, refs.starts[1:] + hyps.starts[-1]]),
            unknown=np.concatenate(unknown),
            pairs=ReferencePairs.of(corpus.references),
            right=np.arange(size, size + len(refs.starts) - 1, dtype=np.int64),
        )

    def pooled(self, corpus: Corpus, pooling: str, threads: int) -> Floats:
        """Compute the rows of a metric that compares one vector for each text."""
        points = self.points(corpus)
        cosines = native.pooled_cosines(
            points.vectors,
            *points.arguments(),
            pooling=pooling,
            empty=TINY if self.unknown == "tiny" else np.nan,
            threads=checked_threads(threads),
        )
        return self.scored_rows(corpus, points.pairs.best(np.nan_to_num(cosines, nan=0.0)))

    def scored_rows(self, corpus: Corpus, score: Floats, *others: Floats) -> Floats:
        """Put columns together: the score, 1, other columns, counts of words."""
        return self.counted(corpus, np.column_stack([score, np.ones(len(corpus)), *others]))

    def pair(self, hypothesis: str, reference: str) -> WordPair:
        """Return two texts, word by word."""
        hyp, ref = self.preparation().words([hypothesis, reference])
        points = self.points(Corpus.build([hypothesis], [[reference]]))
        return WordPair(
            hyp, ref, points.vectors, points.words[: len(hyp)], points.words[len(hyp) :]
        )


def _placed(
    side: NumberedWords, known: Rows, other: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_]]:
    """Return all words of a column as places in `known`, and which have none there and get
    `other`.
    """
    unknown = side.rows < 0
    places = np.where(unknown, other, np.searchsorted(known, side.rows)).astype(np.int32)
    return places[side.numbers], unknown[side.numbers]
