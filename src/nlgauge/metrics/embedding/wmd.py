"""Word Mover's Distance: what it costs to move the words of one text to those of another (Kusner et
al., 2015).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.explain.traces import TokenSimilarities
from nlgauge.kernels import Floats, checked_threads, native
from nlgauge.metrics.embedding.embedded import EmbeddingMetric, WordRows
from nlgauge.metrics.embedding.links import flows

PAPER = "Kusner et al. (2015), From word embeddings to document distances"
_FACTS: dict[str, Any] = {
    "family": "embedding",
    "cell": "CF·U·static-emb",
    "tasks": ("MT", "AS", "IC"),
    "criteria": ("adequacy",),
    "scale": 1.0,
    "extras": ("vectors",),
    "paper": PAPER,
    "checked_against": "gensim 4.4.0 and POT 0.9.7",
}


@dataclass(frozen=True, kw_only=True)
class MoverMetric(Mean, EmbeddingMetric):
    """What the distance and its views as a similarity have in common."""

    unit: bool = option(False, "vectors of length 1, as gensim has them by default")

    def distances(self, points: WordRows, threads: int) -> Floats:
        """Return the distance of each hypothesis to its nearest reference."""
        matrix = points.unit() if self.unit else points.vectors
        found = native.word_movers(matrix, *points.arguments(), threads=checked_threads(threads))
        return points.pairs.best(found, least=True)

    def trace(self, hypothesis: str, reference: str) -> TokenSimilarities:
        """Show where the words' masses go."""
        return flows(self.pair(hypothesis, reference), unit=self.unit)


@dataclass(frozen=True, kw_only=True)
class WMD(MoverMetric):
    """The least cost of moving the words of the hypothesis to those of the reference. A word weighs
    its share of the text's words, and moving costs the Euclidean distance; with the nearest
    reference. A text without known words is where the origin is.
    """

    info: ClassVar[Info] = Info(
        name="wmd",
        pair_seconds=1.2e-8,
        title="Word Mover's Distance",
        higher_is_better=False,
        bounds=(0.0, np.inf),
        **_FACTS,
    )

    profile: Literal["formula", "gensim"] = option(
        "formula", "gensim: infinite if one of the texts has no known words"
    )

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the distance, 1, counts of words."""
        points = self.points(corpus)
        found = self.distances(points, threads)
        if self.profile == "gensim":
            empty = points.empty()
            far = empty[points.pairs.hyps] | empty[points.right]
            found[points.pairs.every(far)] = np.inf
        return self.scored_rows(corpus, found)


@dataclass(frozen=True, kw_only=True)
class WMDSimilarity(MoverMetric):
    """Word Mover's Distance as a similarity, segment by segment."""

    info: ClassVar[Info] = Info(
        name="wmd-sim",
        pair_seconds=1.2e-8,
        title="Word Mover's Similarity",
        bounds=(-np.inf, 1.0),
        **_FACTS,
    )

    view: Literal["exp", "inverse", "negative"] = option(
        "exp", "of the distance d: exp(-d), 1 / (1 + d) or -d"
    )

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the similarity, 1, counts of words."""
        points = self.points(corpus)
        found = self.distances(points, threads)
        if self.view == "exp":
            return self.scored_rows(corpus, np.exp(-found))
        return self.scored_rows(corpus, 1 / (1 + found) if self.view == "inverse" else -found)
