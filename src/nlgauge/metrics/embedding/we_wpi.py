"""WE_WPI: words move to where similar words stand at similar places (Echizen'ya et al., 2019)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats, transport
from nlgauge.metrics.embedding.cost_blocks import pair_blocks, row_blocks
from nlgauge.metrics.embedding.embedded import EmbeddingMetric

# How many references there are, and in how many of them each word occurs.
WordCounts = tuple[int, Counter[str]]


@dataclass(frozen=True, kw_only=True)
class WEWPI(Mean[WordCounts], EmbeddingMetric[WordCounts]):
    """1 - the earth mover's distance between two texts, whose words weigh tf · idf and are as far
    apart as 1 - cosine · (1 - |difference of their relative places|); with the best reference. 0 if
    a text has no known words.
    """

    info: ClassVar[Info] = Info(
        name="we-wpi",
        title="Word embeddings with word position information",
        family="embedding",
        cell="CF·U·static-emb",
        tasks=("MT",),
        criteria=("adequacy", "fluency"),
        scale=1.0,
        extras=("vectors",),
        pair_seconds=2.8e-7,
        paper="Echizen'ya, Araki & Hovy (2019), Word embedding-based automatic MT evaluation "
        "metric using word position information",
        checked_against="the formula, by linear programming",
    )

    weights: Literal["tf-idf", "uniform"] = option(
        "tf-idf", "of words; idf = ln((references + 1) / (those with the word + 1)) + 1"
    )

    def count_part(self, part: Corpus) -> WordCounts:
        """Count the references, and in how many of them each word occurs."""
        texts = self.preparation().words(part.references.flat)
        return len(texts), Counter(word for text in texts for word in set(text))

    def segment_rows(self, corpus: Corpus, state: WordCounts, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, counts of words."""
        points = self.points(corpus)
        masses = self._masses(corpus, state)
        unit = points.unit().astype(np.float64)
        texts = [
            _Text.build(points.words[a:b], masses[a:b], unit)
            for a, b in pairwise(points.starts.tolist())
        ]
        pairs = list(zip(points.pairs.hyps.tolist(), points.right.tolist(), strict=True))
        scores = np.zeros(len(pairs))
        cells = [len(texts[h].masses) * len(texts[r].masses) for h, r in pairs]
        for part in pair_blocks(cells):
            block = [(texts[h], texts[r]) for h, r in pairs[part]]
            distances, _ = transport(
                [hyp.masses for hyp, _ in block],
                [ref.masses for _, ref in block],
                [hyp.costs(ref) for hyp, ref in block],
                threads=threads,
            )
            scores[part] = np.maximum(1 - np.nan_to_num(distances, nan=1.0), 0)
        return self.scored_rows(corpus, points.pairs.best(scores))

    def _masses(self, corpus: Corpus, state: WordCounts) -> Floats:
        """Return the masses of all words of all texts."""
        count, containing = state
        texts = self.preparation().words([*corpus.hypotheses, *corpus.references.flat])
        words = [word for text in texts for word in text]
        if self.weights == "uniform":
            return np.ones(len(words))
        idf = {word: log((count + 1) / (containing[word] + 1)) + 1 for word in set(words)}
        return np.fromiter((idf[word] for word in words), np.float64, len(words))


@dataclass(frozen=True, eq=False)
class _Text:
    """The words of a text that count."""

    vectors: Floats
    masses: Floats
    places: Floats  # in the whole text, as shares of its length

    @classmethod
    def build(cls, words: npt.NDArray[np.int32], masses: Floats, unit: Floats) -> _Text:
        known = words >= 0
        places = np.arange(1, len(words) + 1) / max(len(words), 1)
        return cls(unit[words[known]], masses[known], places[known])

    def costs(self, other: _Text) -> Floats:
        costs = np.empty((len(self.places), len(other.places)))
        for part in row_blocks(*costs.shape):
            near = np.abs(np.subtract.outer(self.places[part], other.places))
            cosines = np.clip(self.vectors[part] @ other.vectors.T, -1, 1)
            costs[part] = 1 - cosines * (1 - near)
        return costs
