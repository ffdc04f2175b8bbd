"""MoverScore: how far the meaning of one text is moved to become another (Zhao et al., 2019)."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from nlgauge.core.arithmetic import unit_vectors
from nlgauge.core.best_reference import texts_of
from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.core.understanding.coverage import Lookup
from nlgauge.core.understanding.lookup import LookupMetric
from nlgauge.data.corpus import Corpus
from nlgauge.errors import SpecError
from nlgauge.explain.traces import Match, TokenSimilarities
from nlgauge.kernels import Floats, Texts, transport
from nlgauge.metrics.contextual.rarity import PieceCounts, PieceRarity, counted_pieces
from nlgauge.models.cache.embeddings import EncodedText, embeddings_of
from nlgauge.models.encoders.encoder import HELP as MODELS
from nlgauge.models.encoders.encoder import Encoder, Pieces, find_encoder
from nlgauge.models.lookups import PieceLookup
from nlgauge.text.preparation import Preparation
from nlgauge.text.word_lists import STOP_LISTS, stop_words

_PUNCTUATION = frozenset(string.punctuation)
_POOLED = 5  # layers
Rarities = tuple[PieceRarity, PieceRarity]  # of hypotheses and of references


@dataclass(frozen=True, eq=False)
class Grams:
    """The n-grams of a text that are moved."""

    names: tuple[str, ...]
    vectors: npt.NDArray[np.float32]  # of all n-grams: copies would take longer than the rest
    lengths: npt.NDArray[np.float32]  # of these vectors
    moved: npt.NDArray[np.int64]  # those that weigh anything
    masses: Floats  # of those; their sum is 1


@dataclass(frozen=True, kw_only=True)
class MoverScore(Mean[Rarities], LookupMetric[Rarities]):
    """One less the cheapest way to move one text's pieces of words, by their vectors' distances,
    to the other's. Version 2 has 1 / (1 + cost) and the last layer only.

    A text of which no piece is left scores 0. Pieces weigh by their rarity among hypotheses and
    among references; where all of a text's weights are 0, they weigh alike.
    """

    info: ClassVar[Info] = Info(
        name="moverscore",
        title="MoverScore",
        family="contextual",
        cell="CF·U·ctx-emb",
        tasks=("MT", "AS", "IC", "D2T"),
        criteria=("adequacy", "overall"),
        bounds=(-3.0, 1.0),
        scale=1.0,
        extras=("neural",),
        paper="Zhao et al. (2019), MoverScore: text generation evaluating with contextualized "
        "embeddings and earth mover distance",
        checked_against="emnlp19-moverscore (github.com/AIPHES, 0459a3b) on all-MiniLM-L6-v2",
    )

    model: str = option("minilm", MODELS)
    device: str = option("cpu", "of torch; models that run without it are always on the processor")
    version: Literal["v1", "v2"] = option("v1", "of the published program")
    order: int = option(1, "length of the n-grams moved; version 2 has 1 only", low=1, high=9)
    weights: Literal["idf", "uniform"] = option(
        "idf", "of pieces; uniform: the special ones at both ends weigh as well"
    )
    subwords: Literal["first", "all"] = option(
        "first", "pieces of a word that count; version 2 has the first only"
    )
    stop: str = option("none", f"stop words left out: {', '.join(STOP_LISTS)}")
    references: Literal["best", "mean"] = option("best", "of several references")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stop not in STOP_LISTS:
            raise SpecError(f"stop={self.stop}: there are {', '.join(STOP_LISTS)}")
        if self.version == "v2" and (self.order, self.subwords) != (1, "first"):
            raise SpecError(
                "moverscore(version=v2) moves first pieces only: order=1,subwords=first"
            )

    def resources(self) -> dict[str, str]:
        """Name the model that encodes texts."""
        return {"model": find_encoder(self.model, device=self.device).name}

    def english_only(self) -> tuple[str, ...]:
        """Name the stop words, if they are left out."""
        return Preparation(stop=self.stop).english_only()

    def lookup(self) -> Lookup:
        """Return the encoder that texts are looked up in."""
        return PieceLookup(find_encoder(self.model, device=self.device))

    def counts_hypotheses(self) -> bool:
        """Return that hypotheses have rarities of their own."""
        return True

    def count_part(self, part: Corpus) -> tuple[PieceCounts, PieceCounts]:
        """Count in how many hypotheses, and in how many references, each piece occurs."""
        return self._counted(part.hypotheses), self._counted(part.references.flat)

    def settle(self, counts: tuple[PieceCounts, PieceCounts]) -> Rarities:
        """Return the rarities of pieces in hypotheses and in references."""
        return PieceRarity(*counts[0]), PieceRarity(*counts[1])

    def fitted(self, corpus: Corpus) -> Rarities:
        """Return what `fit` does, done once for each system and for all references."""
        hyps, refs = corpus.hypotheses, corpus.references.flat
        return (
            corpus.once(self, hyps, lambda: PieceRarity(*self._counted(hyps))),
            corpus.once(self, refs, lambda: PieceRarity(*self._counted(refs))),
        )

    def _counted(self, texts: Texts) -> PieceCounts:
        if self.weights == "uniform":
            return counted_pieces(())
        return counted_pieces(find_encoder(self.model, device=self.device).pieces(texts))

    def announce(self, corpus: Corpus) -> None:
        """Have texts encoded once for all metrics, whichever layers they look at."""
        store = embeddings_of(corpus, self.model, device=self.device)
        store.expect(self._layers(store.encoder))

    def segment_rows(self, corpus: Corpus, state: Rarities, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, counts of words."""
        store = embeddings_of(corpus, self.model, device=self.device)
        layers = self._layers(store.encoder)
        hyps, refs = state
        found = []
        for block in store.blocks(corpus, len(layers)):
            own, others, pairs = texts_of(corpus, block)
            encoded = store.encoded([*own, *others], layers, threads=threads)
            left = [self._grams(text, hyps) for text in encoded[: len(own)]]
            right = [self._grams(text, refs) for text in encoded[len(own) :]]
            scores = self._scores(pairs.repeated(left), right, threads)
            found.append(pairs.mean(scores) if self.references == "mean" else pairs.best(scores))
        score = np.concatenate(found)
        return self.counted(corpus, np.stack([score, np.ones(len(score))], axis=-1))

    def _layers(self, encoder: Encoder) -> list[int]:
        last = encoder.layers
        return [last] if self.version == "v2" else list(range(max(0, last - _POOLED + 1), last + 1))

    def _scores(self, hyps: Sequence[Grams], refs: Sequence[Grams], threads: int) -> Floats:
        pairs = list(zip(hyps, refs, strict=True))
        moved = [bool(len(hyp.masses) and len(ref.masses)) for hyp, ref in pairs]
        both = [pair for pair, some in zip(pairs, moved, strict=True) if some]
        costs, _ = transport(
            [hyp.masses for hyp, _ in both],
            [ref.masses for _, ref in both],
            [self._costs(hyp, ref) for hyp, ref in both],
            threads=threads,
        )
        scores = np.zeros(len(pairs))
        scores[moved] = 1 - costs if self.version == "v1" else 1 / (1 + costs)
        return scores

    def _costs(self, hyp: Grams, ref: Grams) -> Floats:
        """Return the distances of n-grams; version 1 has squared ones. (The published version 2
        takes roots of what single precision leaves of them, so that equal vectors are up to 0.0005
        apart; not so here.)
        """
        moved = np.ix_(hyp.moved, ref.moved)
        if self.version == "v1":
            cosines = (hyp.vectors @ ref.vectors.T)[moved]
            cosines /= hyp.lengths[hyp.moved, None] * ref.lengths[ref.moved]
            squared: Floats = np.maximum(2 - 2 * cosines, 0).astype(float)
            return squared
        one, other = (x.vectors.astype(np.float64) / x.lengths[:, None] for x in (hyp, ref))
        lengths = (one**2).sum(axis=1)[:, None] + (other**2).sum(axis=1)
        distances: Floats = np.sqrt(np.maximum(lengths - 2 * one @ other.T, 0))
        return distances[moved]

    def _grams(self, text: EncodedText, rarity: PieceRarity) -> Grams:
        kept = self._kept(text.pieces)
        vectors = _pooled(text.states[:, kept]) if self.version == "v1" else text.states[0, kept]
        names = [text.pieces.strings[i] for i in kept]
        return self._moved(names, vectors, self._weighted(text.pieces, kept, rarity))

    def _moved(
        self, names: Sequence[str], vectors: npt.NDArray[np.float32], weights: Floats
    ) -> Grams:
        """Return the n-grams of pieces that weigh anything."""
        n = min(self.order, len(names))
        if n > 1:
            window = np.arange(len(names) - n + 1)[:, None] + np.arange(n)
            vectors = np.einsum("gn,gnd->gd", weights[window].astype(np.float32), vectors[window])
            weights = weights[window].sum(axis=1)
            names = [" ".join(names[i] for i in row) for row in window]
        some = np.flatnonzero(weights)
        lengths = np.sqrt(np.einsum("gd,gd->g", vectors, vectors))
        return Grams(
            tuple(names[i] for i in some.tolist()),
            vectors,
            np.maximum(lengths, np.float32(1e-12)),
            some,
            weights[some] / max(weights.sum(), 1e-300),
        )

    def _kept(self, pieces: Pieces) -> npt.NDArray[np.int64]:
        """Return the places of pieces that are neither punctuation nor stop words, nor later pieces
        of a word. If only special ones are left, there is nothing to move.
        """
        left_out = _PUNCTUATION | stop_words(self.stop)
        kept = np.array([piece not in left_out for piece in pieces.strings], bool)
        if self.subwords == "first":
            later = np.zeros(len(pieces), bool)
            later[1:] = (pieces.words[1:] == pieces.words[:-1]) & (pieces.words[1:] >= 0)
            kept &= ~later
        return np.flatnonzero(kept & (kept & ~pieces.special).any())

    def _weighted(self, pieces: Pieces, kept: npt.NDArray[np.int64], rarity: PieceRarity) -> Floats:
        if self.weights == "uniform":
            return np.ones(len(kept))
        weights = rarity.weights(pieces.ids[kept])
        return weights if weights.any() else (~pieces.special[kept]).astype(np.float64)

    def trace(self, hypothesis: str, reference: str) -> TokenSimilarities:
        """Show distances of all n-grams, and what is moved where."""
        from nlgauge.explain import builders

        corpus = Corpus.build([hypothesis], [[reference]])
        store = embeddings_of(corpus, self.model, device=self.device)
        encoded = store.encoded([hypothesis, reference], self._layers(store.encoder))
        hyp, ref = (
            self._grams(text, rarity)
            for text, rarity in zip(encoded, self.fit(corpus), strict=True)
        )
        costs = self._costs(hyp, ref)
        matches: tuple[Match, ...] = ()
        if costs.size:
            _, (flow,) = transport([hyp.masses], [ref.masses], [costs], flows=True)
            matches = builders.transport(flow)
        return TokenSimilarities(
            hyp=hyp.names,
            ref=ref.names,
            matrix=costs,
            matches=matches,
            hyp_weights=hyp.masses,
            ref_weights=ref.masses,
            measure="squared distance" if self.version == "v1" else "distance",
            distance=True,
            note="weights of this pair alone" if self.weights == "idf" else "",
        )


def _pooled(states: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Pool layers, [layers, pieces, d] -> [pieces, 3 d]: least, mean and largest of layers of
    length 1.
    """
    states = unit_vectors(states)
    return np.concatenate([states.min(axis=0), states.mean(axis=0), states.max(axis=0)], axis=-1)
