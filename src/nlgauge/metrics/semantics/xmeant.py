"""XMEANT: MEANT with the source in place of a reference (Lo, Beloucif, Saers & Wu, 2014)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.arithmetic import harmonic_mean, unit_vectors
from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.core.understanding.coverage import Lookup
from nlgauge.core.understanding.lookup import TextSide
from nlgauge.data.corpus import Corpus
from nlgauge.errors import ResourceMissing, SpecError
from nlgauge.kernels import Floats, native
from nlgauge.metrics.contextual.units import TextUnits, similarities, without_copies
from nlgauge.metrics.semantics.meant import WORDS, MeantCounts, MeantMetric, MeantState, MeantText
from nlgauge.metrics.semantics.structure import RolePhrases
from nlgauge.models.cache.analysis_stores import frames_of
from nlgauge.models.cache.embeddings import embeddings_of
from nlgauge.models.encoders.encoder import HELP, find_encoder
from nlgauge.models.lexicon.translations import NULL, TranslationTable, find_table
from nlgauge.models.lookups import PieceLookup, SetLookup
from nlgauge.models.syntax.annotators import ROLES_HELP, find_frames

LONGEST = 16  # words of phrases that a grammar goes through as a whole


@dataclass(frozen=True, kw_only=True)
class XMEANT(MeantMetric):
    """F1 of the semantic frames of hypothesis and source, whose words are as similar as they are
    probable translations of each other, or as their vectors in a multilingual encoder.

    With an encoder, words that stand in both texts are copied, and match nothing.
    """

    info: ClassVar[Info] = Info(
        name="xmeant",
        title="XMEANT",
        family="semantics",
        cell="CD·U·word-other",
        tasks=("MT",),
        criteria=("adequacy",),
        scale=1.0,
        needs=("sources",),
        extras=("neural",),
        pair_seconds=2.3e-8,
        paper="Lo et al. (2014), XMEANT: better semantic MT evaluation without reference "
        "translations",
        checked_against="hand calculation",
    )

    similarity: Literal["table", "encoder"] = option(
        "table", "of words: probabilities of a table, or cosines of a multilingual encoder"
    )
    model: str = option("use", HELP)
    source_roles: str = option("none", f"of sources: {ROLES_HELP}")
    table: str = option(
        "", "file of lines: source word, hypothesis word, probability of the latter"
    )
    inverse: str = option("", "the same the other way round; without it, table counts for both")
    phrases_by: Literal["f", "itg"] = option(
        "f", "phrases: f, each word's best translation; itg, a bracketing transduction grammar"
    )
    null: float = option(
        0.001, "itg: probability of words that lack a translation", low=1e-9, high=1
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.similarity == "encoder" and self.phrases_by == "itg":
            raise SpecError("phrases_by=itg: needs the probabilities of a table (similarity=table)")

    def resources(self) -> dict[str, str]:
        """Name the labellers of roles, and the tables or the encoder."""
        found = {
            "roles": find_frames(self.roles).name,
            "source_roles": find_frames(self.source_roles).name,
        }
        if self.similarity == "encoder":
            return {**found, "model": find_encoder(self.model).name}
        for name, path in (("table", self.table), ("inverse", self.inverse)):
            if path:
                found[name] = find_table(name, path).name
        return found

    def check_resources(self) -> None:
        """Refuse to start without a table."""
        super().check_resources()
        if not self.table and self.similarity == "table":
            raise ResourceMissing(
                "xmeant: needs a lexical translation table; give table=FILE with lines of source "
                "word, hypothesis word and probability, or make one from texts and translations",
                remedy="nlgauge build translations source.txt target.txt -o FILE",
            )

    def _tables(self) -> tuple[TranslationTable, TranslationTable]:
        """Return the tables of hypothesis words given source words, and the other way round."""
        there = find_table("table", self.table)
        return there, find_table("inverse", self.inverse) if self.inverse else there

    other: ClassVar[str] = "source"

    def lookup(self) -> Lookup:
        """Return the words of hypotheses that the tables know."""
        return self._lookup(sources=False)

    def sides(self, corpus: Corpus) -> tuple[TextSide, ...]:
        """Return hypotheses and sources, which have words of their own in the tables."""
        assert corpus.sources is not None
        return (
            TextSide("hypotheses", corpus.hypotheses, self.lookup()),
            TextSide("sources", corpus.sources, self._lookup(sources=True)),
        )

    def _lookup(self, *, sources: bool) -> Lookup:
        if self.similarity == "encoder":
            return PieceLookup(find_encoder(self.model))
        there, back = self._tables()
        known = there.given if sources else there.words
        if back is not there:
            known |= back.words if sources else back.given
        return SetLookup(self.table, known, replace(WORDS, lowercase=self.lowercase))

    def count_part(self, part: Corpus) -> MeantCounts:
        """Count the roles in the sources."""
        assert part.sources is not None
        texts = frames_of(part, self.source_roles).sentences(part.sources)
        return self.counted_roles(texts), Counter(), len(texts)

    def fitted(self, corpus: Corpus) -> MeantState:
        """Return what `fit` does, done once for all systems that share their sources."""
        return corpus.once(self, corpus.sources, lambda: self.fit(corpus))

    def texts(
        self, corpus: Corpus, state: MeantState, *, threads: int
    ) -> Iterator[list[MeantText]]:
        """Return the hypothesis and the source of every segment."""
        assert corpus.sources is not None
        hyps = frames_of(corpus, self.roles).sentences(corpus.hypotheses, threads=threads)
        sources = frames_of(corpus, self.source_roles).sentences(corpus.sources, threads=threads)
        for both in zip(hyps, sources, strict=True):
            made = []
            for sentences in both:
                words, frames = self.words(sentences)
                units = self._units(corpus, words, threads)
                phrases = RolePhrases.build(frames)
                made.append(MeantText(units, frames, phrases, np.ones(len(words))))
            yield made

    def _units(self, corpus: Corpus, words: tuple[str, ...], threads: int) -> TextUnits:
        """Return words, with vectors if an encoder is asked: means of the pieces in each."""
        if self.similarity == "table" or not words:
            return TextUnits(words)
        store = embeddings_of(corpus, self.model)
        (found,) = store.encoded([" ".join(words)], [min(1, store.encoder.layers)], threads=threads)
        ends = np.cumsum([len(word) + 1 for word in words])
        sums = np.zeros((len(words), store.encoder.width))
        for (start, _), state, special in zip(
            found.pieces.spans.tolist(), found.states[0], found.pieces.special, strict=True
        ):
            if not special:
                sums[np.searchsorted(ends, start, side="right")] += state
        return TextUnits(words, unit_vectors(sums), True)

    def phrases(
        self, hyp: MeantText, ref: MeantText, spans: Any, others: Any
    ) -> tuple[Floats, Floats]:
        """Compute the similarity of phrases of hypothesis and source, for precision and recall
        alike.
        """
        if self.similarity == "encoder":
            alike = similarities(hyp.units, ref.units, substring=False, tool=False)
            there = back = without_copies(alike, hyp.units, ref.units)
        else:
            there, back = self._probabilities(hyp.units.words, ref.units.words)
        if self.phrases_by == "itg":
            similar = self._derived(hyp, ref, (there + back) / 2, spans, others)
        else:
            precision = native.span_similarities(
                there, hyp.weights, ref.weights, spans, others, order=1
            )[0]
            recall = native.span_similarities(
                back, hyp.weights, ref.weights, spans, others, order=1
            )[1]
            similar = harmonic_mean(precision, recall)
        return similar, similar

    def _probabilities(
        self, hyp: tuple[str, ...], source: tuple[str, ...]
    ) -> tuple[Floats, Floats]:
        """Return the probabilities of both directions, each [hyp, source]."""
        there, back = self._tables()
        forward = there.matrix(source, hyp)
        if back is there:
            return forward, forward
        return forward, np.ascontiguousarray(back.matrix(hyp, source).T)

    def _derived(
        self, hyp: MeantText, ref: MeantText, pairs: Floats, spans: Any, others: Any
    ) -> Floats:
        """Return the geometric mean, over the words of the longer phrase, of the best
        derivation.
        """
        there, back = self._tables()
        alone = there.matrix([NULL], hyp.units.words)[:, 0]
        left = back.matrix([NULL], ref.units.words)[:, 0]
        found = native.transductions(
            np.log(np.maximum(pairs, self.null**2)),
            np.log(np.maximum(alone, self.null)),
            np.log(np.maximum(left, self.null)),
            spans,
            others,
            longest=LONGEST,
        )
        lengths = np.maximum.outer(np.diff(spans)[:, 0], np.diff(others)[:, 0])
        similar: Floats = np.exp(found / lengths)
        return similar
