"""WMD_O: Word Mover's Distance with a penalty for word order (Chow et al., 2019)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import compress, pairwise
from typing import ClassVar, Literal

import numpy as np

from nlgauge.core.arithmetic import unit_vectors
from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.explain.traces import TokenSimilarities
from nlgauge.kernels import Floats, transport
from nlgauge.metrics.embedding.cost_blocks import pair_blocks, row_blocks
from nlgauge.metrics.embedding.embedded import EmbeddingMetric
from nlgauge.metrics.embedding.links import flows
from nlgauge.metrics.embedding.word_order import (
    Targets,
    TransportProblem,
    chunks_and_words,
    tool_chunks_and_words,
)
from nlgauge.models.vectors.word_vectors import find_vectors

_FEATURE = re.compile(r"\b\w\w+\b")  # what scikit-learn counts as a word


@dataclass(frozen=True, kw_only=True)
class WMDO(Mean, EmbeddingMetric):
    """WMD - delta · (1/2 - penalty), where the penalty is METEOR's: 1/2 · (chunks / words)³, with
    each word of the reference aligned to the word that gets most of its mass; with the best
    reference. The authors' program (profile=wmdo) adds delta · min(1, chunks / words) to a WMD of
    cosine distances, and alpha for each share of unknown words of the hypothesis.
    """

    info: ClassVar[Info] = Info(
        name="wmd-o",
        title="Word Mover's Distance with word order",
        family="embedding",
        cell="CF·U·static-emb",
        tasks=("MT",),
        criteria=("adequacy", "fluency"),
        higher_is_better=False,
        bounds=(-np.inf, np.inf),
        scale=1.0,
        extras=("vectors",),
        pair_seconds=1.4e-7,
        paper="Chow, Specia & Madhyastha (2019), WMDO: fluency-based Word Mover's Distance for "
        "machine translation evaluation",
        checked_against="WMDO (github.com/julianchow/WMDO)",
    )

    unit: bool = option(False, "vectors of length 1; profile=wmdo looks at directions only")
    delta: float = option(0.18, "weight of word order", low=0.0, high=1e6)
    alpha: float = option(0.1, "weight of unknown words, with profile=wmdo", low=0.0, high=1e6)
    profile: Literal["formula", "wmdo"] = option(
        "formula",
        "wmdo: the authors' program, which moves words of two letters or digits and more, known "
        "or not, and finds texts infinitely far that are one such word",
    )

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, counts of words."""
        points = self.points(corpus)
        texts = self.preparation().words([*corpus.hypotheses, *corpus.references.flat])
        if self.profile == "wmdo":
            bags = [Counter(f for word in text for f in _FEATURE.findall(word)) for text in texts]
        else:
            known = (points.words[a:b] >= 0 for a, b in pairwise(points.starts.tolist()))
            texts = [list(compress(*both)) for both in zip(texts, known, strict=True)]
            bags = [Counter(text) for text in texts]
        space = _Space(self, bags)
        pairs = list(zip(points.pairs.hyps.tolist(), points.right.tolist(), strict=True))
        problems = [TransportProblem.build(bags[r], bags[h]) for h, r in pairs]
        unknown = points.shares()
        scores = np.empty(len(pairs))
        for part in pair_blocks([len(p.left) * len(p.right) for p in problems]):
            block = problems[part]
            least, moved = transport(
                [np.fromiter(p.left.values(), np.float64) for p in block],
                [np.fromiter(p.right.values(), np.float64) for p in block],
                [space.costs(p.left, p.right) for p in block],
                flows=True,
                threads=threads,
            )
            for k, (problem, cost, flow) in enumerate(
                zip(block, least, moved, strict=True), start=part.start
            ):
                h, r = pairs[k]
                distance = cost * problem.moving if problem.left and problem.right else 0.0
                if not problem.ref or not problem.hyp:
                    distance = space.from_origin(problem.ref or problem.hyp)
                targets = problem.targets(flow)
                scores[k] = self._score(distance, texts[r], texts[h], targets, unknown[h])
                if self.profile == "wmdo" and len(problem.ref | problem.hyp) == 1:
                    scores[k] = np.inf
        return self.scored_rows(corpus, points.pairs.best(scores, least=True))

    def _score(
        self, distance: float, ref: list[str], hyp: list[str], targets: Targets, unknown: float
    ) -> float:
        if self.profile == "wmdo":
            chunks, words = tool_chunks_and_words(ref, hyp, targets)
            ratio = min(1.0, chunks / words) if words else 1.0
            return distance + self.delta * ratio + self.alpha * unknown
        chunks, words = chunks_and_words(ref, hyp, targets)
        penalty = (chunks / words) ** 3 / 2 if words else 0.5
        return distance - self.delta * (0.5 - penalty)

    def trace(self, hypothesis: str, reference: str) -> TokenSimilarities:
        """Show where the words' masses go."""
        return flows(self.pair(hypothesis, reference), unit=self.unit or self.profile == "wmdo")


class _Space:
    """Vectors of all words, and what it costs to move from one to another."""

    def __init__(self, metric: WMDO, bags: Iterable[Iterable[str]]) -> None:
        self.cosines = metric.profile == "wmdo"
        words = list(dict.fromkeys(word for bag in bags for word in bag))
        self.places = {word: i for i, word in enumerate(words)}
        vectors = find_vectors(metric.vectors)
        rows = vectors.rows(words)
        self.matrix = np.zeros((len(words), vectors.matrix.shape[1]))
        self.matrix[rows >= 0] = vectors.matrix[rows[rows >= 0]]
        if metric.unknown == "mean" and not self.cosines:
            self.matrix[rows < 0] = vectors.mean
        if metric.unit or self.cosines:
            self.matrix = unit_vectors(self.matrix)

    def vectors(self, words: Iterable[str]) -> Floats:
        found: Floats = self.matrix[[self.places[word] for word in words]]
        return found

    def costs(self, left: Iterable[str], right: Iterable[str]) -> Floats:
        a, b = self.vectors(left), self.vectors(right)
        if self.cosines:
            return np.clip(1 - a @ b.T, 0, 2)
        distances = np.empty((len(a), len(b)))
        for part in row_blocks(len(a), b.size):
            differences = a[part, None] - b[None]
            squares = np.einsum("ijk,ijk->ij", differences, differences)
            np.sqrt(squares, out=distances[part])
        return distances

    def from_origin(self, bag: Counter[str]) -> float:
        """Return the mean distance of words from the origin."""
        norms = np.linalg.norm(self.vectors(bag), axis=1)
        return float(norms @ np.fromiter(bag.values(), np.float64)) / max(bag.total(), 1)
