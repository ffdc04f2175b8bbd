"""What YiSi-1 and YiSi-2 share: their options, and how two texts are compared (Lo, 2019)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from nlgauge.core.arithmetic import weighted_harmonic_mean
from nlgauge.core.metric import Mean, State
from nlgauge.core.options import option
from nlgauge.core.understanding.coverage import Lookup
from nlgauge.data.corpus import Corpus
from nlgauge.errors import SpecError
from nlgauge.explain.traces import TokenSimilarities
from nlgauge.kernels import Floats, Texts, checked_threads, native
from nlgauge.metrics.contextual.bertscore import LAYERS
from nlgauge.metrics.contextual.encoding import Encoding
from nlgauge.metrics.contextual.rarity import WordRarity
from nlgauge.metrics.contextual.units import (
    TextUnits,
    similarities,
    whole_words,
    with_states,
    with_vectors,
    words_and_pieces,
    words_of,
)
from nlgauge.models.lookups import PieceLookup, WordLookup
from nlgauge.models.piece_evidence import PieceModel
from nlgauge.text.preparation import Preparation

_MADE = {"pieces": with_states, "words": whole_words, "both": words_and_pieces}
CELLS = 1 << 21  # similarities that are compared at once


@dataclass(frozen=True, kw_only=True)
class YiSi(Mean[State], Encoding[State]):
    """What YiSi-1 and YiSi-2 share: their options, and how two texts are compared."""

    similarity: Literal["encoder", "vectors", "substring", "exact"] = option(
        "encoder", "of two words (or pieces of words): what makes them alike"
    )
    vectors: str = option("glove", "glove, or a file of word vectors")
    tokenizer: str = option("13a", "how texts are split into words; encoders have their own way")
    lowercase: bool = option(False, "ignore case")
    order: int = option(3, "length of the n-grams compared", low=1, high=9)
    alpha: float = option(0.8, "how much recall counts; the rest is precision", low=0.0, high=1.0)
    weights: Literal["idf", "model", "uniform"] = option(
        "idf", "of words: by the texts they occur in, or by the encoder's own probabilities"
    )
    units: Literal["pieces", "words", "both"] = option(
        "pieces", "with an encoder, what is compared: pieces, words made of them, or the mean"
    )
    shorter: bool = option(False, "take the mean with that of shorter n-grams, down to one word")
    profile: Literal["formula", "yisi"] = option(
        "formula", "yisi: the tool's way with bytes, case, and words no reference has"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        Preparation(self.tokenizer)
        if self.weights == "model" and self.similarity != "encoder":
            raise SpecError("weights=model: only an encoder has them (similarity=encoder)")

    def resources(self) -> dict[str, str]:
        """Name the model or the vectors."""
        if self.similarity == "encoder":
            return self.encoding()
        tokenizer = Preparation(self.tokenizer).resources()
        if self.similarity == "vectors":
            from nlgauge.models.vectors.word_vectors import find_vectors

            return {"vectors": find_vectors(self.vectors).name, **tokenizer}
        return tokenizer

    def check_inputs(self, corpus: Corpus) -> None:
        """Refuse to start without model or vectors."""
        super().check_inputs(corpus)
        if self.similarity == "encoder":
            self.layer_of()
            self._piece_model()

    def layers_known(self) -> dict[str, int]:
        """Return the layers of BERTScore; on WMT15, MiniLM's is the best for YiSi-1, too."""
        return LAYERS

    def _counted(self, texts: Texts) -> tuple[Counter[str], int]:
        """Count in how many texts each word occurs, and the texts: what a rarity is made of."""
        words = self._words(texts) if self.weights == "idf" else []
        return Counter(word for text in words for word in set(text)), len(texts)

    def _words(self, texts: Iterable[str]) -> list[list[str]]:
        preparation = self.preparation()
        if preparation is not None:
            return preparation.words(texts)
        cased = self._cased(texts)
        found = self.encoder().pieces(cased)
        if self.units != "pieces":
            return [list(words_of(*both)) for both in zip(cased, found, strict=True)]
        return [
            [word for word, special in zip(text.strings, text.special, strict=True) if not special]
            for text in found
        ]

    def _piece_model(self) -> PieceModel | None:
        """Return the encoder, if its probabilities are asked for; refuse one that has none."""
        if self.weights != "model":
            return None
        encoder = self.encoder()
        if not isinstance(encoder, PieceModel):
            raise SpecError(
                f"weights=model: {encoder.name} has no probabilities of pieces; "
                "choose weights=idf, or model=use"
            )
        return encoder

    def _cased(self, texts: Iterable[str]) -> list[str]:
        return [text.lower() for text in texts] if self.lowercase else list(texts)

    def _units(self, corpus: Corpus, texts: Sequence[str], threads: int) -> list[TextUnits]:
        """Return the units of each text."""
        if self.similarity == "encoder":
            cased = self._cased(texts)
            store = self.embeddings_in(corpus)
            encoded = store.encoded(cased, [self.layer_of()], threads=threads)
            model = self._piece_model()
            made = _MADE[self.units]
            return [
                made(text, found, None if model is None else model.rarity(found.pieces))
                for text, found in zip(cased, encoded, strict=True)
            ]
        words = self._words(texts)
        if self.similarity != "vectors":
            return [TextUnits(tuple(text)) for text in words]
        from nlgauge.models.vectors.word_vectors import find_vectors

        return with_vectors(words, find_vectors(self.vectors), self.profile == "yisi")

    def _blocks(self, corpus: Corpus) -> Iterable[range]:
        """Return segments that are looked at together."""
        if self.similarity != "encoder":
            return [range(len(corpus))]

        return self.embeddings_in(corpus).blocks(corpus)

    def _similarities(self, hyp: TextUnits, ref: TextUnits) -> Floats:
        return similarities(
            hyp, ref, substring=self.similarity == "substring", tool=self.profile == "yisi"
        )

    def _weights(self, units: TextUnits, rarity: WordRarity) -> Floats:
        if units.rarities is not None:
            return units.rarities
        if self.weights == "uniform":
            return np.ones(len(units))
        return rarity.weights(units.words, tool=self.profile == "yisi")

    def _matched(
        self,
        pairs: Iterable[tuple[TextUnits, TextUnits]],
        hyps: WordRarity,
        refs: WordRarity,
        *,
        threads: int,
    ) -> Floats:
        """Compute precision and recall of pairs of texts: [pairs, 2]."""
        if self.units == "both" and self.similarity == "encoder":
            listed = list(pairs)
            pieces = [(hyp.pieces or hyp, ref.pieces or ref) for hyp, ref in listed]
            both = [
                self._matched_alike(own, hyps, refs, threads=threads) for own in (listed, pieces)
            ]
            mean: Floats = np.mean(both, axis=0)
            return mean
        return self._matched_alike(pairs, hyps, refs, threads=threads)

    def _matched_alike(
        self,
        pairs: Iterable[tuple[TextUnits, TextUnits]],
        hyps: WordRarity,
        refs: WordRarity,
        *,
        threads: int,
    ) -> Floats:
        """Compute precision and recall by units of one kind: [pairs, 2]."""
        orders = range(1 if self.shorter else self.order, self.order + 1)
        found = []
        for group in self._grouped(pairs):
            matrices = [matrix.ravel() for _, _, matrix in group]
            cells = np.concatenate(matrices) if len(matrices) > 1 else matrices[0]
            sides = [(self._weights(hyp, hyps), self._weights(ref, refs)) for hyp, ref, _ in group]
            group.clear()  # long texts have large matrices, and the next ones are on their way
            by_order = [
                native.ngram_similarities(
                    cells,
                    np.concatenate([hyp for hyp, _ in sides]),
                    np.array([len(hyp) for hyp, _ in sides], np.int64),
                    np.concatenate([ref for _, ref in sides]),
                    np.array([len(ref) for _, ref in sides], np.int64),
                    order=order,
                    threads=checked_threads(threads),
                )
                for order in orders
            ]
            found.append(np.mean(by_order, axis=0))
            del matrices, cells
        return np.concatenate(found) if found else np.zeros((0, 2))

    def _grouped(
        self, pairs: Iterable[tuple[TextUnits, TextUnits]]
    ) -> Iterator[list[tuple[TextUnits, TextUnits, Floats]]]:
        """Yield pairs with their similarities, not too many at once."""
        group: list[tuple[TextUnits, TextUnits, Floats]] = []
        cells = 0
        for hyp, ref in pairs:
            group.append((hyp, ref, self._similarities(hyp, ref)))
            cells += len(hyp) * len(ref)
            if cells > CELLS:
                yield group
                group, cells = [], 0
        if group:
            yield group

    def asks_model(self) -> bool:
        """Return whether a model is asked; substrings and equal words need none."""
        return self.similarity in ("encoder", "vectors")

    def asks_encoder(self) -> bool:
        """Return whether pieces are compared, by their vectors."""
        return self.similarity == "encoder"

    def preparation(self) -> Preparation | None:
        """Return how words are found; None: the encoder has pieces of its own."""
        if self.similarity == "encoder":
            return None
        return Preparation(self.tokenizer, lowercase=self.lowercase)

    def unused_options(self) -> frozenset[str]:
        """Name the tokeniser, where an encoder has its own."""
        return frozenset({"tokenizer"} if self.similarity == "encoder" else ())

    def lookup(self) -> Lookup:
        """Return the encoder, or the vectors."""
        preparation = self.preparation()
        if preparation is None:
            return PieceLookup(self.encoder(), self.lowercase)
        from nlgauge.models.vectors.word_vectors import find_vectors

        return WordLookup(find_vectors(self.vectors), preparation, folded=True)

    def _rows(self, corpus: Corpus, precision: Floats, recall: Floats) -> Floats:
        """Compute the columns: the score, 1, precision, recall, counts of words."""
        score = weighted_harmonic_mean(precision, recall, self.alpha)
        rows = np.stack([score, np.ones(len(score)), precision, recall], axis=-1)
        return self.counted(corpus, rows)

    def _traced(
        self, hyp: TextUnits, ref: TextUnits, hyps: WordRarity, refs: WordRarity
    ) -> TokenSimilarities:
        from nlgauge.explain import builders

        matrix = self._similarities(hyp, ref)
        return TokenSimilarities(
            hyp=hyp.words,
            ref=ref.words,
            matrix=matrix,
            matches=builders.greedy(matrix),
            hyp_weights=self._weights(hyp, hyps),
            ref_weights=self._weights(ref, refs),
            note="" if self.order == 1 else f"compared in runs of {self.order}",
        )

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return mean precision and recall, and the shares of unknown words."""
        precision, recall = (totals[2:4] / max(totals[1], 1)).tolist()
        return {"precision": precision, "recall": recall, **super().parts(totals)}
