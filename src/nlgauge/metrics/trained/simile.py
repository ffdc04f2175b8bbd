"""SIM and SIMILE: cosine of sentence vectors, and a penalty for other lengths (Wieting et al.,
2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.arithmetic import unit_vectors
from nlgauge.core.best_reference import ReferencePairs
from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.core.understanding.coverage import Lookup
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats, Texts
from nlgauge.metrics.contextual.encoding import Encoding
from nlgauge.models.encoders.paraphrase_encoder import find_paraphrase_encoder
from nlgauge.models.lookups import PieceLookup, SetLookup, WordLookup
from nlgauge.models.piece_evidence import PieceModel
from nlgauge.models.vectors.word_vectors import HELP as VECTORS
from nlgauge.text.preparation import Preparation


@dataclass(frozen=True, eq=False)
class SentenceVectors:
    """Texts as vectors of length 1 (0: nothing is known of the text), and their lengths."""

    vectors: Floats  # [texts, width]
    lengths: Floats


@dataclass(frozen=True, kw_only=True)
class SIMILE(Mean, Encoding):
    """The cosine of two sentences' vectors times LP^alpha, LP = exp(1 - longer / shorter); with
    the best reference.

    A text without words, or without a word that has a vector, scores 0.
    """

    info: ClassVar[Info] = Info(
        name="simile",
        title="SIMILE",
        family="trained",
        cell="CF·T·e2e",
        tasks=("MT",),
        criteria=("adequacy",),
        bounds=(-1.0, 1.0),
        scale=1.0,
        extras=("neural",),
        paper="Wieting et al. (2019), Beyond BLEU: training neural machine translation with "
        "semantic similarity",
        checked_against="evaluate.py of jwieting/beyond-bleu, on given word vectors",
    )

    embeddings: Literal["encoder", "vectors"] = option(
        "encoder", "of sentences: means of an encoder's vectors, or of word vectors"
    )
    vectors: str = option("glove", VECTORS)
    path: str | None = option(None, "a model of `nlgauge train sim`, in place of both")
    tokenizer: str = option("13a", "how texts are split into words; encoders have their own way")
    lowercase: bool = option(True, "ignore case; trained models do")
    alpha: float = option(0.25, "how much the length counts; 0: SIM", low=0.0, high=100.0)
    profile: Literal["formula", "beyond-bleu"] = option(
        "formula",
        "beyond-bleu: the authors' program, in which lengths are those of words and blanks in "
        "characters, and the first word of the vocabulary is unknown",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        Preparation(self.tokenizer)

    def resources(self) -> dict[str, str]:
        """Name the model or the vectors."""
        if self.path is not None:
            return {"path": find_paraphrase_encoder(self.path).name}
        if self.embeddings == "encoder":
            encoder = self.encoder()
            if self.layer is None and isinstance(encoder, PieceModel):
                return {"model": encoder.name, "layer": "sentences"}
            return self.encoding()
        from nlgauge.models.vectors.word_vectors import find_vectors

        tokenizer = Preparation(self.tokenizer).resources()
        return {"vectors": find_vectors(self.vectors).name, **tokenizer}

    def check_inputs(self, corpus: Corpus) -> None:
        """Refuse to start without model or vectors."""
        super().check_inputs(corpus)
        if self.asks_encoder():
            self.layer_of()

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, the cosine, LP, of the best reference; counts of
        words.
        """
        hyps = self._side(corpus, corpus.hypotheses, threads)
        refs = self._side(corpus, corpus.references.flat, threads)
        pairs = ReferencePairs.of(corpus.references)
        left = pairs.hyps
        cosines = np.clip((hyps.vectors[left] * refs.vectors).sum(axis=1), -1, 1)
        sizes = np.stack([hyps.lengths[left], refs.lengths])
        shorter, longer = sizes.min(axis=0), sizes.max(axis=0)
        penalty = np.where(shorter > 0, np.exp(1 - longer / np.maximum(shorter, 1)), 0.0)
        scores = np.where(shorter > 0, penalty**self.alpha * cosines, 0.0)
        best = pairs.chosen(scores)
        columns = [scores[best], np.ones(len(best)), cosines[best], penalty[best]]
        return self.counted(corpus, np.stack(columns, axis=-1))

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the mean cosine (SIM), the mean length penalty, and the shares of unknown
        words.
        """
        sim, penalty = (totals[2:4] / max(totals[1], 1)).tolist()
        return {"sim": sim, "length_penalty": penalty, **super().parts(totals)}

    def asks_encoder(self) -> bool:
        """Return whether sentences are means of an encoder's vectors."""
        return self.path is None and self.embeddings == "encoder"

    def preparation(self) -> Preparation | None:
        """Return how words are found; None: the model has words or pieces of its own."""
        if self.path is None and self.embeddings == "vectors":
            return self._preparation()
        return None

    def unused_options(self) -> frozenset[str]:
        """Name what models have of their own."""
        unused = set()
        if self.preparation() is None and self.profile == "formula" and self.path is None:
            unused.add("tokenizer")
        if self.path is not None:
            unused.add("lowercase")
        return frozenset(unused)

    def lookup(self) -> Lookup:
        """Return the trained model, the encoder or the vectors."""
        if self.path is not None:
            model = find_paraphrase_encoder(self.path)
            return SetLookup(self.path, model, Preparation("13a", lowercase=True))
        if self.embeddings == "encoder":
            return PieceLookup(self.encoder(), self.lowercase)
        from nlgauge.models.vectors.word_vectors import find_vectors

        return WordLookup(find_vectors(self.vectors), self._preparation())

    def _side(self, corpus: Corpus, texts: Texts, threads: int) -> SentenceVectors:
        """Return vectors and lengths, found once for all metrics that look at the texts alike."""
        model = tuple(self.resources().items())
        key = ("sentences", model, self.layer, self._preparation(), self.profile)
        return corpus.once(key, texts, lambda: self._encoded(corpus, list(texts), threads))

    def _preparation(self) -> Preparation:
        return Preparation(self.tokenizer, lowercase=self.lowercase)

    def _encoded(self, corpus: Corpus, texts: Sequence[str], threads: int) -> SentenceVectors:
        words = self._preparation().words(texts)
        tokens = [len(text) for text in words]
        if self.path is not None:
            vectors = find_paraphrase_encoder(self.path).encode(texts)
        elif self.embeddings == "encoder":
            vectors, tokens = self._by_encoder(corpus, texts, threads)
        else:
            vectors = self._by_vectors(words)
        if self.profile == "beyond-bleu":
            tokens = [len(" ".join(text)) for text in words]
        return SentenceVectors(unit_vectors(vectors), np.array(tokens, np.float64))

    def _by_encoder(
        self, corpus: Corpus, texts: Sequence[str], threads: int
    ) -> tuple[Floats, list[int]]:
        """Return the encoder's own vectors of sentences, if it has any and no layer is asked for;
        else the means of all pieces, special ones included, as sentence-transformers has them.
        """
        cased = [text.lower() for text in texts] if self.lowercase else texts
        encoder = self.encoder()
        if self.layer is None and isinstance(encoder, PieceModel):
            lengths = [len(pieces) - 2 for pieces in encoder.pieces(cased)]
            return encoder.sentences(cased, threads=threads).astype(np.float64), lengths
        store = self.embeddings_in(corpus)
        found = store.sentences(cased, [self.layer_of()], threads=threads)
        return found.means[0], found.lengths.tolist()

    def _by_vectors(self, texts: Sequence[Sequence[str]]) -> Floats:
        from nlgauge.models.vectors.word_vectors import find_vectors

        found = find_vectors(self.vectors)
        words = list(dict.fromkeys(word for text in texts for word in text))
        rows = dict(zip(words, found.rows(words).tolist(), strict=True))
        result = np.zeros((len(texts), found.matrix.shape[1]))
        first = 1 if self.profile == "beyond-bleu" else 0
        for k, text in enumerate(texts):
            known = [rows[word] for word in text if rows[word] >= first]
            if known:
                result[k] = found.matrix[known].mean(axis=0, dtype=np.float64)
        return result
