"""RUBER: a reply's likeness to a reference, and how well it answers its query (Tao et al., 2018);
with BERT in place of word vectors (Ghazarian et al., 2019).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats, Texts
from nlgauge.metrics.dialogue.reply_model import BlendedMetric
from nlgauge.metrics.dialogue.sentence_blend import SentenceBlend
from nlgauge.metrics.dialogue.utterances import Utterances, Vectors
from nlgauge.metrics.embedding.ruber import RuberReferenced
from nlgauge.models.cache.embeddings import Pooling
from nlgauge.models.lookups import WordLookup
from nlgauge.models.networks.packed_layers import Arrays, Singles, unpacked_arrays
from nlgauge.models.networks.reply_networks import GruReader, QuadraticScorer, sigmoid
from nlgauge.models.vectors.word_vectors import HELP, find_vectors
from nlgauge.text.preparation import Preparation


@dataclass(frozen=True, eq=False)
class RuberNetwork:
    """RUBER's network reads each utterance once, and scores pairs of what it read."""

    reader: GruReader
    scorer: QuadraticScorer

    @classmethod
    def from_arrays(cls, arrays: Arrays, inputs: int) -> RuberNetwork:
        """Build the network for word vectors of `inputs` numbers."""
        reader = GruReader(unpacked_arrays(arrays), inputs)
        return cls(reader, QuadraticScorer(arrays, 2 * reader.width))


@dataclass(frozen=True, kw_only=True)
class RUBER(BlendedMetric):
    """The less of two parts: how like its reference a reply is (the metric ruber-ref), and how well
    it answers the utterance before it, by a network that read both word by word.

    The network learns from dialogues that the true reply is better than another one.
    """

    info: ClassVar[Info] = Info(
        name="ruber",
        title="Referenced metric and unreferenced metric blended",
        family="dialogue",
        cell="CD·T·e2e",
        tasks=("DG",),
        criteria=("relevance",),
        scale=1.0,
        needs=("turns",),
        uses=("references",),
        extras=("vectors",),
        paper="Tao et al. (2018), RUBER: an unsupervised method for automatic evaluation of "
        "open-domain dialog systems",
        checked_against="the same network in torch, and referenced_metric.py "
        "(github.com/liming-vie/RUBER, 2af9bec) for its referenced part",
    )

    vectors: str = option("glove", HELP)
    tokenizer: str = option("13a", "how texts are split into words")
    lowercase: bool = option(True, "ignore case; GloVe's words are in lower case")

    def preparation(self) -> Preparation:
        """Return how texts are split into words."""
        return Preparation(self.tokenizer, lowercase=self.lowercase)

    def lookup(self) -> WordLookup:
        """Return the vectors that words are looked up in."""
        return WordLookup(find_vectors(self.vectors), self.preparation())

    def trained_with(self) -> dict[str, str]:
        """Name the word vectors that are used."""
        return {"vectors": find_vectors(self.vectors).name}

    def inputs(self) -> int:
        """Return the width of the word vectors."""
        return int(find_vectors(self.vectors).matrix.shape[1])

    @staticmethod
    def network(arrays: Arrays, inputs: int) -> RuberNetwork:
        """Build the network for word vectors of `inputs` numbers."""
        return RuberNetwork.from_arrays(arrays, inputs)

    def reader(self, corpus: Corpus, *, threads: int) -> tuple[object, Vectors]:
        """Return what makes vectors of known words of texts."""
        vectors, preparation = find_vectors(self.vectors), self.preparation()

        def known(texts: list[str]) -> list[Singles]:
            numbers, starts, words = preparation.numbered(Texts(texts))
            rows = vectors.rows(words)[numbers]
            return [
                np.asarray(vectors.matrix[own[own >= 0]], np.float32)
                for own in np.split(rows, starts[1:-1])
            ]

        return (vectors.name, preparation), known

    def network_scores(self, network: RuberNetwork, said: Utterances, *, threads: int) -> Floats:
        """Return from 0 to 1 how well replies answer the last utterance."""
        read = network.reader(said.vectors, threads=threads)
        logits = network.scorer.predict(read[said.turns.last], read[said.replies], threads=threads)
        return sigmoid(logits)

    def likeness(self, corpus: Corpus, said: Utterances, *, threads: int) -> Floats:
        """Return the cosine of pooled word vectors of a reply and its best reference."""
        found = np.full(len(corpus), np.nan)
        rows = np.flatnonzero(corpus.references.counts > 0).tolist()
        if rows:
            metric = RuberReferenced(
                vectors=self.vectors, tokenizer=self.tokenizer, lowercase=self.lowercase
            )
            some = corpus if len(rows) == len(corpus) else corpus.take(rows)
            found[rows] = metric.rows(some, threads=threads)[:, 0]
        return found


@dataclass(frozen=True, kw_only=True)
class RuberBERT(SentenceBlend):
    """RUBER with vectors of an encoder in place of word vectors: the mean of the cosine of a reply
    and its best reference, and of how probably it answers the utterance before it.

    The less of both, as in RUBER, agrees less with people: docs/results/dialogue.md.
    """

    info: ClassVar[Info] = Info(
        name="ruber-bert",
        title="RUBER with contextual vectors",
        family="dialogue",
        cell="CD·T·e2e",
        tasks=("DG",),
        criteria=("relevance",),
        scale=1.0,
        needs=("turns",),
        uses=("references",),
        extras=("neural",),
        paper="Ghazarian et al. (2019), Better automatic evaluation of open-domain dialogue "
        "systems with contextualized embeddings",
        checked_against="the same network in torch",
    )

    pooling: Pooling = option("mean", "how the vectors of a text's pieces become one")

    @property
    def pooled(self) -> Pooling:
        """Return how vectors of pieces become one."""
        return self.pooling

    def trained_with(self) -> dict[str, str]:
        """Name the encoder and the pooling."""
        return {**super().trained_with(), "pooling": self.pooling}

    @staticmethod
    def network(arrays: Arrays, inputs: int) -> QuadraticScorer:
        """Build the layers for vectors of `inputs` numbers."""
        return QuadraticScorer(arrays, inputs)

    def network_scores(self, network: QuadraticScorer, said: Utterances, *, threads: int) -> Floats:
        """Return how probably replies answer the last utterance."""
        stretched = said.vectors * np.sqrt(said.vectors.shape[1])
        query, reply = stretched[said.turns.last], stretched[said.replies]
        return sigmoid(network.predict(query, reply, threads=threads))
