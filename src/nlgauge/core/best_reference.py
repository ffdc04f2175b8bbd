"""Compare each hypothesis with each of its references, and choose what counts.

`PairMetric` compares the words of two texts in Python, and `BestReference` whatever else is read
from them. `ReferencePairs` is for metrics that compute the scores of all pairs at once.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from nlgauge.core.metric import Mean, WordMetric
from nlgauge.data.corpus import Corpus, References
from nlgauge.errors import DataError
from nlgauge.kernels import Floats

Integers = npt.NDArray[np.int64]
Item = TypeVar("Item")


@dataclass(frozen=True, eq=False)
class ReferencePairs:
    """Every hypothesis with each of its references, one segment after the other.

    There is a pair for each reference, so that what is computed of pairs stands in the order of
    `References.flat`.
    """

    hyps: Integers  # by pair: the number of its hypothesis
    first: Integers  # by segment: the number of its first pair
    counts: Integers  # by segment: how many pairs it has

    @classmethod
    def counted(cls, counts: Integers) -> ReferencePairs:
        """Return the pairs of segments with so many references each."""
        if not counts.all():
            raise DataError(f"segment {int(np.argmin(counts)) + 1} has no reference")
        return cls(np.repeat(np.arange(len(counts)), counts), np.cumsum(counts) - counts, counts)

    @classmethod
    def of(cls, references: References) -> ReferencePairs:
        """Return the pairs of a whole corpus."""
        return cls.counted(references.counts)

    def repeated(self, items: Sequence[Item]) -> list[Item]:
        """Return for each pair what belongs to its hypothesis."""
        return [items[i] for i in self.hyps.tolist()]

    def best(self, values: Floats, *, least: bool = False) -> Floats:
        """Return the largest value of each segment's pairs, or the least; of each column by itself.

        NaN counts only where there is nothing else.
        """
        found: Floats = (np.fmin if least else np.fmax).reduceat(values, self.first, axis=0)
        return found

    def mean(self, values: Floats) -> Floats:
        """Return the mean value of each segment's pairs."""
        found: Floats = np.add.reduceat(values, self.first) / self.counts
        return found

    def every(self, flags: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Return for which segments the flags of all pairs are set."""
        found: npt.NDArray[np.bool_] = np.logical_and.reduceat(flags, self.first)
        return found

    def chosen(self, values: Floats, *, least: bool = False) -> Integers:
        """Return the number of each segment's first pair with the largest value, or the least."""
        best = self.best(values, least=least)[self.hyps]
        numbers = np.flatnonzero((values == best) | np.isnan(best))
        return numbers[np.searchsorted(self.hyps[numbers], np.arange(len(self.counts)))]


def grouped(references: References, items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Cut what belongs to the texts of `references.flat` into the parts of each segment."""
    return (items[i:j] for i, j in pairwise(references.starts.tolist()))


def texts_of(corpus: Corpus, block: range) -> tuple[list[str], list[str], ReferencePairs]:
    """Return hypotheses and references of a run of segments, and how they are paired."""
    refs = corpus.references
    start, stop = block.start, block.stop
    return (
        [corpus.hypotheses[i] for i in block],
        [refs.flat[k] for k in range(refs.starts[start], refs.starts[stop])],
        ReferencePairs.counted(refs.counts[start:stop]),
    )


class BestReference(Mean[None]):
    """A metric that compares with one reference at a time, and counts the one with the best score.

    The corpus score is the mean, unless `score` says otherwise.
    """

    @abstractmethod
    def segments(self, corpus: Corpus, *, threads: int) -> Iterable[tuple[Any, Sequence[Any]]]:
        """Read the hypothesis and the references of every segment, each in the form compared."""

    def described(self, text: Any) -> Any:
        """Return what `pair` looks at, found once for each text; by default all that was read."""
        return text

    @abstractmethod
    def pair(self, hyp: Any, ref: Any) -> float | Sequence[float]:
        """Compare two texts: return their score, or the whole row of statistics."""

    def compare(self, hyp: Any, refs: Sequence[Any]) -> float | Sequence[float]:
        """Compare a text with all of its references: by default, the best one counts."""
        if not refs:
            raise DataError(f"{self.info.name}: a segment has no reference")
        if len(refs) == 1:
            return self.pair(hyp, refs[0])
        found = [self.pair(hyp, ref) for ref in refs]
        alone = [value for value in found if isinstance(value, float)]
        if len(alone) == len(found):
            return max(alone) if self.info.higher_is_better else min(alone)
        rows = list(map(_row, found))
        scores = self.score(np.asarray(rows, np.float64))
        return rows[int(scores.argmax() if self.info.higher_is_better else scores.argmin())]

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:  # noqa: ARG002
        """Compute one row after the other; a score alone becomes the columns score and 1."""
        rows = [
            _row(self.compare(self.described(hyp), [self.described(ref) for ref in refs]))
            for hyp, refs in self.segments(corpus, threads=threads)
        ]
        return np.array(rows, np.float64)


class PairMetric(BestReference, WordMetric[None]):
    """A metric that compares the words of a hypothesis with those of one reference at a time.

    A subclass needs `info` and `pair`. Its texts are split into words as its options `tokenizer`,
    `lowercase`, `stem` and `stop` say, as far as it has them.
    """

    def segments(
        self,
        corpus: Corpus,
        *,
        threads: int,  # noqa: ARG002
    ) -> Iterator[tuple[list[str], Sequence[list[str]]]]:
        """Split the hypothesis and the references of every segment into words."""
        words = self.preparation().words
        refs = grouped(corpus.references, words(corpus.references.flat))
        return zip(words(corpus.hypotheses), refs, strict=True)

    @abstractmethod
    def pair(self, hyp: list[str], ref: list[str]) -> float | Sequence[float]:
        """Compare two lists of words: return their score, or the whole row of statistics."""


def _row(found: float | Sequence[float]) -> Sequence[float]:
    return found if isinstance(found, (tuple, list, np.ndarray)) else (found, 1.0)
