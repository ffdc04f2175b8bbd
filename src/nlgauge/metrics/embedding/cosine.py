"""Cosines of word vectors: greedy matching, embedding average and vector extrema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.explain.traces import TokenSimilarities
from nlgauge.kernels import Floats, checked_threads, native
from nlgauge.metrics.embedding.embedded import TASKS, EmbeddingMetric
from nlgauge.metrics.embedding.links import best_cosines

_FACTS: dict[str, Any] = {
    "family": "embedding",
    "cell": "CF·U·static-emb",
    "criteria": ("adequacy",),
    "bounds": (-1.0, 1.0),
    "scale": 1.0,
    "extras": ("vectors",),
    "checked_against": "nlg-eval (github.com/Maluuba/nlg-eval, 2ab4528)",
}


@dataclass(frozen=True, kw_only=True)
class GreedyMatching(Mean, EmbeddingMetric):
    """Each word's best cosine to a word of the other text, averaged over the words of each text
    and then over both; with the best reference. 0 if a text has no known words.
    """

    info: ClassVar[Info] = Info(
        name="greedy",
        title="Greedy Matching",
        tasks=("DG",),
        pair_seconds=3e-8,
        paper="Rus & Lintean (2012), A comparison of greedy and optimal assessment of natural "
        "language student input using word-to-word similarity metrics",
        **_FACTS,
    )

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, precision, recall, counts of words."""
        points = self.points(corpus)
        both = native.greedy_matching(
            points.vectors, *points.arguments(), threads=checked_threads(threads)
        )
        both = np.nan_to_num(both, nan=0.0)
        score = points.pairs.best(both.mean(axis=1))
        return self.scored_rows(corpus, score, points.pairs.best(both))

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return means over the words of hypotheses and of references, each with its best
        reference.
        """
        precision, recall = (totals[2:4] / max(totals[1], 1)).tolist()
        return {"precision": precision, "recall": recall, **super().parts(totals)}

    def trace(self, hypothesis: str, reference: str) -> TokenSimilarities:
        """Show each word and the one of the other text that it is most similar to."""
        return best_cosines(self.pair(hypothesis, reference))


@dataclass(frozen=True, kw_only=True)
class EmbeddingAverage(Mean, EmbeddingMetric):
    """Cosine of the mean vectors of both texts, with the best reference. 0 if a text has no known
    words.
    """

    info: ClassVar[Info] = Info(
        name="emb-avg",
        title="Embedding Average",
        tasks=TASKS,
        paper="Landauer & Dumais (1997), A solution to Plato's problem; as used by Liu et al. "
        "(2016), How NOT to evaluate your dialogue system",
        **_FACTS,
    )

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, counts of words."""
        return self.pooled(corpus, "average", threads)


@dataclass(frozen=True, kw_only=True)
class VectorExtrema(Mean, EmbeddingMetric):
    """Cosine of vectors that take from all words of a text, in each dimension, the number that is
    farthest from 0; with the best reference. 0 if a text has no known words.
    """

    info: ClassVar[Info] = Info(
        name="extrema",
        title="Vector Extrema",
        tasks=TASKS,
        paper="Forgues et al. (2014), Bootstrapping dialog systems with word embeddings",
        **_FACTS,
    )

    profile: Literal["formula", "nlg-eval"] = option(
        "formula", "nlg-eval: 0 wherever the least number of a dimension is 0"
    )

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, counts of words."""
        return self.pooled(corpus, "extrema" if self.profile == "formula" else "nlg-eval", threads)
