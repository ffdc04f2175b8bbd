"""BERTScore (Zhang et al., 2020) and BERTr (Mathur et al., 2019): pieces of words matched by their
vectors in context.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.arithmetic import harmonic_mean
from nlgauge.core.best_reference import texts_of
from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.core.resources import digest
from nlgauge.data.corpus import Corpus
from nlgauge.explain.traces import TokenSimilarities
from nlgauge.kernels import Floats
from nlgauge.metrics.contextual.baselines import read_baseline
from nlgauge.metrics.contextual.encoding import Encoding
from nlgauge.metrics.contextual.matching import SPREAD, greedy, unit
from nlgauge.metrics.contextual.rarity import PieceCounts, PieceRarity, counted_pieces
from nlgauge.models.cache.embeddings import EncodedText
from nlgauge.models.encoders.encoder import Pieces, check_layers

Measure = Literal["f", "precision", "recall"]
MEASURES = ("precision", "recall", "f")
# The layer that agrees best with people: of MiniLM on the segments of WMT15
# (benchmarks/studies/encoder_layers.py), of others as bert-score 0.3.13 has it.
LAYERS = {
    "all-MiniLM-L6-v2": 4,
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9,
    "roberta-base": 10,
    "roberta-large": 17,
    "distilbert-base-uncased": 5,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
}
MATCH_STATISTICS = (
    *MEASURES,
    *(f"{side}_{name}" for side in MEASURES[:2] for name in SPREAD),
)


@dataclass(frozen=True, kw_only=True)
class GreedyMetric(Mean[PieceRarity | None], Encoding[PieceRarity | None]):
    """What both have in common. The best of several references counts, for each measure by itself;
    a text without pieces scores 0.
    """

    def resources(self) -> dict[str, str]:
        """Name the weights and the layer."""
        return self.encoding()

    def check_inputs(self, corpus: Corpus) -> None:
        """Refuse to start without the model, the layer or the baseline."""
        super().check_inputs(corpus)
        self.layer_of()

    def weights(self, pieces: Pieces, state: PieceRarity | None) -> Floats:
        """Return the weights of a text's pieces; special ones have none. Where others have none
        either, because all references have them, these weigh alike.
        """
        alike = np.where(pieces.special, 0.0, 1.0)
        weighed = alike if state is None else alike * state.weights(pieces.ids)
        return weighed if weighed.any() else alike

    def compared(self, text: EncodedText, state: PieceRarity | None) -> tuple[Any, Floats]:
        """Return vectors [layers, pieces, width] that can be matched, and their weights."""
        return text.states, self.weights(text.pieces, state)

    def measured(
        self,
        corpus: Corpus,
        layers: Sequence[int],
        state: PieceRarity | None,
        *,
        spread: bool = False,
        threads: int,
    ) -> Iterator[Floats]:
        """Yield, for runs of segments, precision, recall and F of [layers, segments]; with `spread`
        also `SPREAD` of the matches of both sides, against the reference with the best F.
        """
        store = self.embeddings_in(corpus)
        for block in store.blocks(corpus, len(layers)):
            hyps, refs, pairs = texts_of(corpus, block)
            texts = list(dict.fromkeys([*hyps, *refs]))
            number = {text: i for i, text in enumerate(texts)}
            left = pairs.repeated([number[hyp] for hyp in hyps])
            right = [number[ref] for ref in refs]
            encoded = store.encoded(texts, layers, threads=threads)
            empty = np.array([text.pieces.special.all() for text in encoded])
            vectors, weights = zip(*(self.compared(t, state) for t in encoded), strict=True)
            by_layer = []
            for k in range(len(layers)):
                found = greedy(
                    [v[k] for v in vectors], weights, left, right, spread=spread, threads=threads
                )
                found[empty[left] | empty[right]] = 0
                means, matches = found[:, :2], found[:, 2:]
                both = np.column_stack([means, harmonic_mean(*means.T)])
                best = pairs.best(both)
                if spread:
                    best = np.column_stack([best, matches[pairs.chosen(both[:, 2])]])
                by_layer.append(best)
            yield np.stack(by_layer)


@dataclass(frozen=True, kw_only=True)
class BERTScore(GreedyMetric):
    """Each piece is matched with the nearest of the other text, by the cosine of their vectors at
    one layer: means over the hypothesis (precision) and the reference (recall), and their F.

    bert-score 0.3.13 counts padding as a piece with cosine 0, so that there, but not here, cosines
    below 0 become 0 unless the text is the longest of its batch.
    """

    info: ClassVar[Info] = Info(
        name="bertscore",
        title="BERTScore",
        family="contextual",
        cell="CF·U·ctx-emb",
        tasks=("MT", "IC", "DG", "QA", "AS"),
        criteria=("adequacy", "overall"),
        bounds=(-1.0, 1.0),
        scale=1.0,
        extras=("neural",),
        paper="Zhang et al. (2020), BERTScore: evaluating text generation with BERT",
        checked_against="bert-score 0.3.13 on all-MiniLM-L6-v2",
    )

    measure: Measure = option("f", "precision, recall, or their harmonic mean")
    idf: bool = option(False, "weigh pieces by ln((M+1)/(c+1)): c of M references have them")
    baseline: str | None = option(None, "file of `nlgauge rescale`: b, as in (score − b)/(1 − b)")
    matches: tuple[int, ...] | None = option(
        None,
        "layers whose matches are parts, too, like 4:5:6: means, quartiles and spread",
        low=0,
        high=1000,
    )

    def layers_known(self) -> dict[str, int]:
        """Return the layers that agree best with ratings of translations."""
        return LAYERS

    def layers_read(self) -> tuple[int, ...]:
        """Return the layer of the score, and those whose matches are parts."""
        return tuple(dict.fromkeys((self.layer_of(), *(self.matches or ()))))

    def resources(self) -> dict[str, str]:
        """Name the weights, the layer and the baseline."""
        found = super().resources()
        if self.baseline is not None:
            read_baseline(self.baseline, self.layer_of())
            found["baseline"] = digest("baseline", self.baseline)
        return found

    def check_inputs(self, corpus: Corpus) -> None:
        """Refuse to start with layers that the model does not have."""
        super().check_inputs(corpus)
        check_layers(self.encoder(), self.matches or ())

    def count_part(self, part: Corpus) -> PieceCounts | None:
        """Count in how many references each piece occurs, if rare ones weigh more."""
        if not self.idf:
            return None
        return counted_pieces(self.encoder().pieces(part.references.flat))

    def settle(self, counts: PieceCounts | None) -> PieceRarity | None:
        """Return the rarity of pieces, if it matters."""
        return None if counts is None else PieceRarity(*counts)

    def segment_rows(self, corpus: Corpus, state: PieceRarity | None, *, threads: int) -> Floats:
        """Compute the columns: the measure, 1, precision, recall, F, matches by layer, counts of
        words.
        """
        layer, matched = self.layer_of(), self.matches or ()
        layers = self.layers_read()
        measured = self.measured(corpus, layers, state, spread=bool(matched), threads=threads)
        by_layer = dict(zip(layers, np.concatenate(list(measured), axis=1), strict=True))
        found = by_layer[layer][:, : len(MEASURES)]
        if self.baseline is not None:
            baseline = read_baseline(self.baseline, layer)
            found = (found - baseline) / (1 - baseline)
        chosen = found[:, MEASURES.index(self.measure)]
        matches = [by_layer[k] for k in matched]
        return self.counted(corpus, np.column_stack([chosen, np.ones(len(found)), found, *matches]))

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return all three measures, the same and the spread of matches by layer if that was asked
        for, and the shares of unknown words.
        """
        means = {name: float(totals[2 + i] / totals[1]) for i, name in enumerate(MEASURES)}
        at = 2 + len(MEASURES)
        for layer in self.matches or ():
            names = [f"layer_{layer}_{name}" for name in MATCH_STATISTICS]
            values = totals[at : at + len(names)] / totals[1]
            means.update(zip(names, values.tolist(), strict=True))
            at += len(names)
        return {**means, **super().parts(totals)}

    def trace(self, hypothesis: str, reference: str) -> TokenSimilarities:
        """Show cosines of all pieces, and who was nearest."""
        from nlgauge.explain import builders

        corpus = Corpus.build([hypothesis], [[reference]])
        store = self.embeddings_in(corpus)
        hyp, ref = store.encoded([hypothesis, reference], [self.layer_of()])
        state = self.fit(corpus)
        cosines = (unit(hyp.states[0]) @ unit(ref.states[0]).T).astype(np.float64)
        return TokenSimilarities(
            hyp=hyp.pieces.strings,
            ref=ref.pieces.strings,
            matrix=cosines,
            matches=builders.greedy(cosines),
            hyp_weights=self.weights(hyp.pieces, state),
            ref_weights=self.weights(ref.pieces, state),
            measure="cosine",
        )


@dataclass(frozen=True, kw_only=True)
class BERTr(GreedyMetric):
    """The mean over the reference's pieces of the cosine with the nearest of the hypothesis, by
    default at the last layer. Special pieces take no part.
    """

    info: ClassVar[Info] = Info(
        name="bertr",
        title="BERTr",
        family="contextual",
        cell="CF·U·ctx-emb",
        tasks=("MT",),
        criteria=("adequacy", "overall"),
        bounds=(-1.0, 1.0),
        scale=1.0,
        extras=("neural",),
        paper="Mathur, Baldwin & Cohn (2019), Putting evaluation in context: contextual embeddings "
        "improve machine translation evaluation",
        checked_against="its formula, on vectors of torch",
    )

    def compared(self, text: EncodedText, state: PieceRarity | None) -> tuple[Any, Floats]:
        """Return vectors and weights without special pieces, unless there are no others."""
        kept = ~text.pieces.special
        if not kept.any():
            return super().compared(text, state)
        return text.states[:, kept], np.ones(int(kept.sum()))

    def segment_rows(self, corpus: Corpus, state: PieceRarity | None, *, threads: int) -> Floats:
        """Compute the columns: recall, 1, counts of words."""
        measured = self.measured(corpus, [self.layer_of()], state, threads=threads)
        recall = np.concatenate([scores[0, :, 1] for scores in measured])
        return self.counted(corpus, np.column_stack([recall, np.ones(len(recall))]))
