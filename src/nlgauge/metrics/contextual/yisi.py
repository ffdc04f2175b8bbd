"""YiSi-1 and YiSi-2: n-grams of words that are as similar as their vectors (Lo, 2019)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.arithmetic import weighted_harmonic_mean
from nlgauge.core.best_reference import texts_of
from nlgauge.core.coverage import Lookup
from nlgauge.core.lookup import TextSide
from nlgauge.core.metric import Info, Mean, State
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.data.frames import on_words
from nlgauge.explain.traces import TokenSimilarities
from nlgauge.kernels import Floats, Texts, checked_threads, native
from nlgauge.metrics.contextual.bertscore import LAYERS
from nlgauge.metrics.contextual.encoding import Encoding
from nlgauge.metrics.contextual.units import (
    TextUnits,
    lower,
    similarities,
    with_states,
    with_vectors,
)
from nlgauge.metrics.semantics.meant import WEIGHTS_HELP, RoleWeights, check_weights, weights_of
from nlgauge.metrics.semantics.structure import FIXED, RolePhrases, frequencies, structure
from nlgauge.models.cache.analysis_stores import frames_of
from nlgauge.models.lookups import PieceLookup, WordLookup
from nlgauge.models.syntax.annotators import ROLES_HELP, english_annotator, find_frames
from nlgauge.text.preparation import Preparation

PAPER = "Lo (2019), YiSi: a unified semantic MT quality evaluation and estimation metric"
CELLS = 1 << 21  # similarities that are compared at once


@dataclass(frozen=True)
class WordRarity:
    """In how many texts each word occurs."""

    found: Counter[str]
    texts: int

    def weights(self, words: Iterable[str], *, tool: bool) -> Floats:
        """Of each word; the tool looks up unknown words in lower case."""
        return np.array([self._weight(word, tool) for word in words], np.float64)

    def _weight(self, word: str, tool: bool) -> float:
        count = self.found[word] or (self.found[lower(word, tool)] if tool else 0)
        return math.log2(1 + (self.texts + 1) / (count + 1))


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
    weights: Literal["idf", "uniform"] = option("idf", "of words, by the texts they occur in")
    profile: Literal["formula", "yisi"] = option(
        "formula", "yisi: the tool's way with bytes, case, and words no reference has"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        Preparation(self.tokenizer)

    def resources(self) -> dict[str, str]:
        """Which model or vectors."""
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

    def layers_known(self) -> dict[str, int]:
        """Those of BERTScore; on WMT15, MiniLM's is the best for YiSi-1, too."""
        return LAYERS

    def _rarity(self, texts: Texts) -> WordRarity:
        """Of the words of all texts."""
        if self.weights == "uniform":
            return WordRarity(Counter(), len(texts))
        words = self._words(texts)
        return WordRarity(Counter(word for text in words for word in set(text)), len(texts))

    def _words(self, texts: Iterable[str]) -> list[list[str]]:
        preparation = self.preparation()
        if preparation is not None:
            return preparation.words(texts)
        return [
            [word for word, special in zip(text.strings, text.special, strict=True) if not special]
            for text in self.encoder().pieces(self._cased(texts))
        ]

    def _cased(self, texts: Iterable[str]) -> list[str]:
        return [text.lower() for text in texts] if self.lowercase else list(texts)

    def _units(self, corpus: Corpus, texts: Sequence[str], threads: int) -> list[TextUnits]:
        """Of each text."""
        if self.similarity == "encoder":
            cased = self._cased(texts)
            store = self.embeddings_in(corpus)
            encoded = store.encoded(cased, [self.layer_of()], threads=threads)
            return [with_states(text, found) for text, found in zip(cased, encoded, strict=True)]
        words = self._words(texts)
        if self.similarity != "vectors":
            return [TextUnits(tuple(text)) for text in words]
        from nlgauge.models.vectors.word_vectors import find_vectors

        return with_vectors(words, find_vectors(self.vectors), self.profile == "yisi")

    def _blocks(self, corpus: Corpus) -> Iterable[range]:
        """Segments that are looked at together."""
        if self.similarity != "encoder":
            return [range(len(corpus))]

        return self.embeddings_in(corpus).blocks(corpus)

    def _similarities(self, hyp: TextUnits, ref: TextUnits) -> Floats:
        return similarities(
            hyp, ref, substring=self.similarity == "substring", tool=self.profile == "yisi"
        )

    def _weights(self, units: TextUnits, rarity: WordRarity) -> Floats:
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
        """Precision and recall of pairs of texts: [pairs, 2]."""
        found = []
        for group in self._grouped(pairs):
            matrices = [matrix.ravel() for _, _, matrix in group]
            cells = np.concatenate(matrices) if len(matrices) > 1 else matrices[0]
            sides = [(self._weights(hyp, hyps), self._weights(ref, refs)) for hyp, ref, _ in group]
            group.clear()  # long texts have large matrices, and the next ones are on their way
            found.append(
                native.ngram_similarities(
                    cells,
                    np.concatenate([hyp for hyp, _ in sides]),
                    np.array([len(hyp) for hyp, _ in sides], np.int64),
                    np.concatenate([ref for _, ref in sides]),
                    np.array([len(ref) for _, ref in sides], np.int64),
                    order=self.order,
                    threads=checked_threads(threads),
                )
            )
            del matrices, cells
        return np.concatenate(found) if found else np.zeros((0, 2))

    def _grouped(
        self, pairs: Iterable[tuple[TextUnits, TextUnits]]
    ) -> Iterator[list[tuple[TextUnits, TextUnits, Floats]]]:
        """Pairs with their similarities, not too many at once."""
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
        """Substrings and equal words need none."""
        return self.similarity in ("encoder", "vectors")

    def preparation(self) -> Preparation | None:
        """None: the encoder has pieces of its own."""
        if self.similarity == "encoder":
            return None
        return Preparation(self.tokenizer, lowercase=self.lowercase)

    def unused_options(self) -> frozenset[str]:
        """The tokeniser, where an encoder has its own."""
        return frozenset({"tokenizer"} if self.similarity == "encoder" else ())

    def lookup(self) -> Lookup:
        """The encoder, or the vectors."""
        preparation = self.preparation()
        if preparation is None:
            return PieceLookup(self.encoder(), self.lowercase)
        from nlgauge.models.vectors.word_vectors import find_vectors

        return WordLookup(find_vectors(self.vectors), preparation, folded=True)

    def _rows(self, corpus: Corpus, precision: Floats, recall: Floats) -> Floats:
        """Columns: the score, 1, precision, recall, counts of words."""
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
        """Mean precision and recall, and the shares of unknown words."""
        precision, recall = (totals[2:4] / max(totals[1], 1)).tolist()
        return {"precision": precision, "recall": recall, **super().parts(totals)}


@dataclass(frozen=True, kw_only=True)
class YiSi1(YiSi[tuple[WordRarity, Floats]]):
    """Words are as similar as their vectors' cosine, and weigh by their rarity.

    With an encoder, n-grams are of pieces of words. Of several references, the best precision and
    the best recall count. With semantic roles, precision and recall of frames count for `beta`;
    where neither text has frames, the words count for all (the tool has 0 there).
    """

    info: ClassVar[Info] = Info(
        name="yisi-1",
        title="YiSi-1",
        family="contextual",
        cell="CF·U·ctx-emb",
        tasks=("MT",),
        criteria=("adequacy",),
        scale=1.0,
        extras=("neural",),
        paper=PAPER,
        checked_against="YiSi of 2019-05-28 (github.com/chikiulo/yisi, fd07bfc), static vectors",
    )

    roles: str = option("none", f"none, or semantic roles: {ROLES_HELP}")
    beta: float = option(0.2, "with roles: how much frames count", low=0.0, high=1.0)
    role_weights: RoleWeights = option("fixed", WEIGHTS_HELP, low=0.0, high=1e6)
    frame_weights: Literal["coverage", "uniform"] = option(
        "coverage", "of frames: the words they cover, or all alike"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_weights("yisi-1", self.role_weights)

    def resources(self) -> dict[str, str]:
        """Which model or vectors, and whose roles."""
        roles = {} if self.roles == "none" else {"roles": find_frames(self.roles).name}
        return {**super().resources(), **roles}

    def english_only(self) -> tuple[str, ...]:
        """The labeller of roles."""
        return (*super().english_only(), *english_annotator("roles", self.roles))

    def fit(self, corpus: Corpus) -> tuple[WordRarity, Floats]:
        """In how many references each word occurs; the weights of roles."""
        flat = corpus.references.flat
        counted = self.roles != "none" and self.role_weights == "frequency"
        texts = frames_of(corpus, self.roles).sentences(flat) if counted else []
        weights = weights_of(self.role_weights, texts)
        if counted:  # as the tool has it: one more of each, and predicates for a quarter
            weights = 1 + frequencies(texts) * FIXED
        return self._rarity(flat), weights

    def _roled(
        self, corpus: Corpus, texts: Sequence[str], units: Sequence[TextUnits], threads: int
    ) -> list[RolePhrases]:
        """The frames of each text by its units."""
        found = frames_of(corpus, self.roles).sentences(texts, threads=threads)
        return [
            RolePhrases.build(on_words(sentences, own.surfaces or own.words))
            for sentences, own in zip(found, units, strict=True)
        ]

    def _structured(
        self,
        hyp: TextUnits,
        ref: TextUnits,
        roled: tuple[RolePhrases, RolePhrases],
        state: tuple[WordRarity, Floats],
    ) -> tuple[float, float]:
        """P_struct and R_struct of two texts; NaN if neither has frames."""
        rarity, weights = state
        return structure(
            *roled,
            self._similarities(hyp, ref),
            self._weights(hyp, rarity),
            self._weights(ref, rarity),
            order=self.order,
            role_weights=weights,
            uniform=self.frame_weights == "uniform",
            tool=self.profile == "yisi",
        )

    def segment_rows(
        self, corpus: Corpus, state: tuple[WordRarity, Floats], *, threads: int
    ) -> Floats:
        """Columns: the score, 1, precision, recall, counts of words."""
        rarity = state[0]
        found = []
        for block in self._blocks(corpus):
            own, others, pairs = texts_of(corpus, block)
            hyps, refs = (self._units(corpus, texts, threads) for texts in (own, others))
            both = zip(pairs.repeated(hyps), refs, strict=True)
            matched = self._matched(both, rarity, rarity, threads=threads)
            best = pairs.best(matched)
            if self.roles != "none":
                left = self._roled(corpus, own, hyps, threads)
                right = self._roled(corpus, others, refs, threads)
                framed = np.array(
                    [
                        self._structured(hyps[i], refs[j], (left[i], right[j]), state)
                        for j, i in enumerate(pairs.hyps)
                    ]
                )
                frames = pairs.best(np.where(np.isnan(framed), matched, framed))
                best = self.beta * frames + (1 - self.beta) * best
            found.append(best)
        precision, recall = np.concatenate(found).T
        return self._rows(corpus, precision, recall)

    def trace(self, hypothesis: str, reference: str) -> TokenSimilarities:
        """Similarities of all units, and for each the best one of the other side."""
        corpus = Corpus.build([hypothesis], [[reference]])
        hyp, ref = self._units(corpus, [hypothesis, reference], 1)
        rarity, _ = self.fit(corpus)
        return self._traced(hyp, ref, rarity, rarity)


@dataclass(frozen=True, kw_only=True)
class YiSi2(YiSi[tuple[WordRarity, WordRarity]]):
    """YiSi-1 with the source in place of the reference: words of two languages are as similar as
    their vectors in a multilingual encoder, and weigh by their rarity in all texts of their side.
    """

    info: ClassVar[Info] = Info(
        name="yisi-2",
        title="YiSi-2",
        family="contextual",
        cell="CD·U·ctx-emb",
        tasks=("MT",),
        criteria=("adequacy",),
        scale=1.0,
        needs=("sources",),
        extras=("neural",),
        paper=PAPER,
        checked_against="YiSi-1, with the references in place of the sources",
    )

    similarity: Literal["encoder", "vectors"] = option(
        "encoder", "of two words (or pieces of words), by vectors of both languages"
    )

    other: ClassVar[str] = "source"

    def sides(self, corpus: Corpus) -> tuple[TextSide, ...]:
        """Hypotheses and sources."""
        assert corpus.sources is not None
        lookup = self.lookup()
        return (
            TextSide("hypotheses", corpus.hypotheses, lookup),
            TextSide("sources", corpus.sources, lookup),
        )

    def fit(self, corpus: Corpus) -> tuple[WordRarity, WordRarity]:
        """In how many hypotheses, and in how many sources, each word occurs."""
        assert corpus.sources is not None
        return self._rarity(corpus.hypotheses), self._rarity(corpus.sources)

    def fitted(self, corpus: Corpus) -> tuple[WordRarity, WordRarity]:
        """`fit`, done once for each system."""
        return corpus.once(self, corpus.hypotheses, lambda: self.fit(corpus))

    def segment_rows(
        self, corpus: Corpus, state: tuple[WordRarity, WordRarity], *, threads: int
    ) -> Floats:
        """Columns: the score, 1, precision, recall, counts of words."""
        assert corpus.sources is not None
        found = []
        for block in self._blocks(corpus):
            hyps = self._units(corpus, [corpus.hypotheses[i] for i in block], threads)
            sources = self._units(corpus, [corpus.sources[i] for i in block], threads)
            found.append(self._matched(zip(hyps, sources, strict=True), *state, threads=threads))
        return self._rows(corpus, *np.concatenate(found).T)
