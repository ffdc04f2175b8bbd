"""Cheap companions of quality metrics: how short, how new and how repetitive outputs are.

They look at no references. Which way is good depends on the task; the direction given is that of
most papers on summaries, and no reason to rank systems by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlgauge.core.metric import Info, WordMetric
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats

SEE = "See et al. (2017), Get to the point: summarization with pointer-generator networks"


def ngrams(words: Sequence[str], order: int) -> list[tuple[str, ...]]:
    """Return all n-grams of a text, in order."""
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


@dataclass(frozen=True, kw_only=True)
class _Share(WordMetric[None]):
    """A share of words or n-grams: the columns of the rows are its two counts."""

    tokenizer: str = option("13a", "how texts are split into words")
    lowercase: bool = option(True, "ignore the case of letters")

    def score(self, totals: Floats) -> Floats:
        """Return the first count by the second; 0 where the second is 0."""
        share: Floats = np.divide(
            totals[..., 0],
            totals[..., 1],
            out=np.zeros(totals.shape[:-1]),
            where=totals[..., 1] > 0,
        )
        return share

    def words(self, texts: Iterable[str]) -> list[list[str]]:
        """Return the words of texts."""
        return list(self.preparation().words(texts))


@dataclass(frozen=True, kw_only=True)
class Compression(_Share):
    """Words of the source for each word of the output."""

    info: ClassVar[Info] = Info(
        name="compression",
        title="Compression ratio",
        family="ngram",
        cell="CD·U·word-other",
        tasks=("AS",),
        bounds=(0.0, float("inf")),
        scale=1.0,
        needs=("sources",),
        paper="Grusky et al. (2018), Newsroom: a dataset of 1.3 million summaries",
        checked_against="hand calculation",
    )

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Return the words of source and output."""
        assert corpus.sources is not None
        texts = zip(self.words(corpus.sources), self.words(corpus.hypotheses), strict=True)
        return np.array([[len(source), len(hyp)] for source, hyp in texts], np.float64)


@dataclass(frozen=True, kw_only=True)
class Novelty(_Share):
    """Share of the output's n-grams that the source does not have."""

    info: ClassVar[Info] = Info(
        name="novelty",
        title="Novel n-grams",
        family="ngram",
        cell="CD·U·word-ngram",
        tasks=("AS",),
        needs=("sources",),
        paper=SEE,
        checked_against="hand calculation",
    )

    order: int = option(2, "length of the n-grams", low=1, high=100)

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Return how many n-grams of the output are new, and how many there are."""
        assert corpus.sources is not None
        rows = []
        texts = zip(self.words(corpus.sources), self.words(corpus.hypotheses), strict=True)
        for source, hyp in texts:
            known, own = set(ngrams(source, self.order)), ngrams(hyp, self.order)
            rows.append([sum(gram not in known for gram in own), len(own)])
        return np.array(rows, np.float64)


@dataclass(frozen=True, kw_only=True)
class Repetition(_Share):
    """Share of the output's n-grams that stood in it before."""

    info: ClassVar[Info] = Info(
        name="repetition",
        title="Repeated n-grams",
        family="ngram",
        cell="CF·U·word-ngram",
        tasks=("AS", "DG"),
        higher_is_better=False,
        needs=(),
        paper=SEE,
        checked_against="hand calculation",
    )

    order: int = option(3, "length of the n-grams", low=1, high=100)

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Return how many n-grams are repeated, and how many there are."""
        rows = []
        for hyp in self.words(corpus.hypotheses):
            own = ngrams(hyp, self.order)
            rows.append([len(own) - len(set(own)), len(own)])
        return np.array(rows, np.float64)
