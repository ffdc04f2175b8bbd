"""The referenced part of RUBER: cosine of pooled word vectors (Tao et al., 2018)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.metrics.embedding.embedded import EmbeddingMetric

Poolings = Literal["max_min", "avg", "all"]


@dataclass(frozen=True, kw_only=True)
class RuberReferenced(Mean, EmbeddingMetric):
    """Cosine of two texts' vectors, which hold the largest and the least number of all words in
    each dimension; with the best reference. 0 if a text has no known words.

    RUBER's program gives words without a vector a tiny one, so that two texts without any known
    word score 1: `unknown=tiny`.
    """

    info: ClassVar[Info] = Info(
        name="ruber-ref",
        title="RUBER, referenced part",
        family="embedding",
        cell="CF·U·static-emb",
        tasks=("DG",),
        criteria=("relevance",),
        bounds=(-1.0, 1.0),
        scale=1.0,
        extras=("vectors",),
        paper="Tao et al. (2018), RUBER: an unsupervised method for automatic evaluation of "
        "open-domain dialog systems",
        checked_against="referenced_metric.py (github.com/liming-vie/RUBER, 2af9bec)",
    )

    pooling: Poolings = option(
        "max_min", "what a text's vector holds: largest and least numbers, their mean, or all three"
    )

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, counts of words."""
        return self.pooled(corpus, self.pooling, threads)
