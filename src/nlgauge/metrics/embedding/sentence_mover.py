"""Sentence Mover's Similarity: texts are moved sentence by sentence (Clark et al., 2019), or each
sentence is matched to its nearest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from nlgauge.core.best_reference import texts_of
from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.core.understanding.coverage import Lookup
from nlgauge.data.corpus import Corpus
from nlgauge.explain.traces import Match, TokenSimilarities
from nlgauge.kernels import Floats, transport
from nlgauge.metrics.contextual.encoding import Encoding
from nlgauge.models.lookups import PieceLookup, WordLookup
from nlgauge.models.vectors.word_vectors import HELP as VECTORS
from nlgauge.text.preparation import Preparation
from nlgauge.text.sentences import sentences

_CHUNK = 512  # segments whose distances are in memory together


@dataclass(frozen=True, eq=False)
class MovedParts:
    """What is moved of a text: sentences, words or both."""

    names: tuple[str, ...]
    vectors: Floats  # [parts, width]
    masses: Floats


@dataclass(frozen=True, kw_only=True)
class SMS(Mean, Encoding):
    """exp(-d), d being the cost of moving one text's parts to the other's by Euclidean distance; or
    the mean cosine of each part with the nearest of the other side. With the best reference.

    A sentence's vector is the mean of its words'; it weighs as many words as it has. Words without
    letters, or a vector, are left out; a text without others scores 0.
    """

    info: ClassVar[Info] = Info(
        name="sms",
        title="Sentence Mover's Similarity",
        family="embedding",
        cell="CF·U·static-emb",
        tasks=("AS",),
        criteria=("overall",),
        bounds=(-1.0, 1.0),
        scale=1.0,
        extras=("vectors",),
        paper="Clark et al. (2019), Sentence mover's similarity: automatic evaluation for "
        "multi-sentence texts",
        checked_against="hand calculation; POT 0.9.7",
    )

    units: Literal["sentences", "words", "both"] = option(
        "sentences", "what is moved; words: WMS, both: S+WMS"
    )
    matching: Literal["transport", "greedy"] = option(
        "transport", "greedy: each part with its nearest, both ways"
    )
    embeddings: Literal["vectors", "encoder"] = option(
        "vectors", "of words, or of pieces of words in their sentence"
    )
    vectors: str = option("glove", VECTORS)
    tokenizer: str = option("13a", "how texts are split into words; encoders have their own way")
    lowercase: bool = option(True, "ignore case")
    stop: Literal["none", "smart"] = option("smart", "leave these words out")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._preparation()

    def resources(self) -> dict[str, str]:
        """Name the vectors or the model."""
        if self.embeddings == "encoder":
            return self.encoding()
        from nlgauge.models.vectors.word_vectors import find_vectors

        return {"vectors": find_vectors(self.vectors).name, **self._preparation().resources()}

    def check_inputs(self, corpus: Corpus) -> None:
        """Refuse to start without vectors or model."""
        super().check_inputs(corpus)
        if self.embeddings == "encoder":
            self.layer_of()

    def asks_encoder(self) -> bool:
        """Return False: sentences are encoded one by one, and no whole text is."""
        return False

    def preparation(self) -> Preparation | None:
        """Return how words are found; None: the encoder has pieces of its own."""
        return None if self.embeddings == "encoder" else self._preparation()

    def english_only(self) -> tuple[str, ...]:
        """Name the stop words, if they are left out."""
        return self._preparation().english_only()

    def unused_options(self) -> frozenset[str]:
        """Name the tokeniser, where an encoder has its own."""
        return frozenset({"tokenizer"} if self.embeddings == "encoder" else ())

    def lookup(self) -> Lookup:
        """Return the vectors, or the encoder."""
        if self.embeddings == "encoder":
            return PieceLookup(self.encoder(), self.lowercase)
        from nlgauge.models.vectors.word_vectors import find_vectors

        # Stop words are known, and tell whether the language is.
        return WordLookup(find_vectors(self.vectors), replace(self._preparation(), stop="none"))

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, counts of words."""
        found = []
        for start in range(0, len(corpus), _CHUNK):
            block = range(start, min(len(corpus), start + _CHUNK))
            hyps, refs, pairs = texts_of(corpus, block)
            left = pairs.repeated(self._parts(corpus, hyps, threads))
            scores = self._scores(left, self._parts(corpus, refs, threads), threads)
            found.append(pairs.best(scores))
        score = np.concatenate(found)
        return self.counted(corpus, np.stack([score, np.ones(len(score))], axis=-1))

    def _scores(
        self, hyps: Sequence[MovedParts], refs: Sequence[MovedParts], threads: int
    ) -> Floats:
        pairs = list(zip(hyps, refs, strict=True))
        some = [bool(hyp.masses.size and ref.masses.size) for hyp, ref in pairs]
        both = [pair for pair, one in zip(pairs, some, strict=True) if one]
        scores = np.zeros(len(pairs))
        if self.matching == "greedy":
            scores[some] = [_greedy(hyp, ref) for hyp, ref in both]
            return scores
        costs, _ = transport(
            [hyp.masses for hyp, _ in both],
            [ref.masses for _, ref in both],
            [_distances(hyp, ref) for hyp, ref in both],
            threads=threads,
        )
        scores[some] = np.exp(-costs)
        return scores

    def _parts(self, corpus: Corpus, texts: Sequence[str], threads: int) -> list[MovedParts]:
        split = [sentences(text) for text in texts]
        flat = [sentence for text in split for sentence in text]
        if self.embeddings == "encoder":
            words = self._by_encoder(corpus, flat, threads)
        else:
            words = self._by_vectors(flat)
        found, at = [], 0
        for text in split:
            found.append(self._joined(words[at : at + len(text)]))
            at += len(text)
        return found

    def _joined(self, text: Sequence[tuple[list[str], Floats]]) -> MovedParts:
        """Build the parts of a text from the words of each sentence and their vectors."""
        text = [(names, vectors) for names, vectors in text if names]
        width = text[0][1].shape[1] if text else 0
        names: list[str] = []
        rows: list[Floats] = [np.zeros((0, width))]
        masses: list[float] = []
        if self.units != "sentences":
            names += [name for own, _ in text for name in own]
            rows += [vectors for _, vectors in text]
            if self.embeddings == "vectors":  # equal words are one
                counts = Counter(names)
                rows = [np.concatenate(rows)[[names.index(name) for name in counts]]]
                names, masses = list(counts), [float(n) for n in counts.values()]
            else:
                masses = [1.0] * len(names)
        if self.units != "words":
            names += [" ".join(own) for own, _ in text]
            rows += [vectors.mean(axis=0, keepdims=True) for _, vectors in text]
            masses += [float(len(own)) for own, _ in text]
        return MovedParts(tuple(names), np.concatenate(rows), np.array(masses))

    def _preparation(self) -> Preparation:
        return Preparation(self.tokenizer, lowercase=self.lowercase, stop=self.stop)

    def _by_vectors(self, texts: Sequence[str]) -> list[tuple[list[str], Floats]]:
        from nlgauge.models.vectors.word_vectors import find_vectors

        vectors = find_vectors(self.vectors)
        words = [[w for w in text if _letters(w)] for text in self._preparation().words(texts)]
        distinct = list(dict.fromkeys(word for text in words for word in text))
        rows = dict(zip(distinct, vectors.rows(distinct).tolist(), strict=True))
        known = [[word for word in text if rows[word] >= 0] for text in words]
        return [
            (text, vectors.matrix[[rows[word] for word in text]].astype(np.float64))
            for text in known
        ]

    def _by_encoder(
        self, corpus: Corpus, texts: Sequence[str], threads: int
    ) -> list[tuple[list[str], Floats]]:
        from nlgauge.text.word_lists import stop_words

        cased = [text.lower() for text in texts] if self.lowercase else list(texts)
        left_out = stop_words(self.stop)
        found = []
        for text in self.embeddings_in(corpus).encoded(cased, [self.layer_of()], threads=threads):
            kept = [
                k
                for k, piece in enumerate(text.pieces.strings)
                if not text.pieces.special[k] and _letters(piece) and piece not in left_out
            ]
            names = [text.pieces.strings[k] for k in kept]
            found.append((names, text.states[0][kept].astype(np.float64)))
        return found

    def trace(self, hypothesis: str, reference: str) -> TokenSimilarities:
        """Show distances of all parts and what is moved where, or cosines and the nearest."""
        from nlgauge.explain import builders

        corpus = Corpus.build([hypothesis], [[reference]])
        hyp, ref = self._parts(corpus, [hypothesis, reference], 1)
        greedy = self.matching == "greedy"
        matrix = np.zeros((len(hyp.names), len(ref.names)))
        matches: tuple[Match, ...] = ()
        if matrix.size and greedy:
            matrix = _cosines(hyp, ref)
            matches = builders.greedy(matrix)
        elif matrix.size:
            matrix = _distances(hyp, ref)
            _, (flow,) = transport([hyp.masses], [ref.masses], [matrix], flows=True)
            matches = builders.transport(flow)
        return TokenSimilarities(
            hyp=hyp.names,
            ref=ref.names,
            matrix=matrix,
            matches=matches,
            hyp_weights=hyp.masses,
            ref_weights=ref.masses,
            measure="cosine" if greedy else "distance",
            distance=not greedy,
        )


def _letters(word: str) -> bool:
    return any(c.isalpha() for c in word)


def _distances(hyp: MovedParts, ref: MovedParts) -> Floats:
    """Return the Euclidean distances of parts: [hyp, ref]."""
    squares = [(side.vectors**2).sum(axis=1) for side in (hyp, ref)]
    squared = squares[0][:, None] + squares[1] - 2 * hyp.vectors @ ref.vectors.T
    distances: Floats = np.sqrt(np.maximum(squared, 0))
    return distances


def _cosines(hyp: MovedParts, ref: MovedParts) -> Floats:
    lengths = [np.linalg.norm(side.vectors, axis=1) for side in (hyp, ref)]
    norms = np.outer(*lengths)
    found = hyp.vectors @ ref.vectors.T
    cosines: Floats = np.divide(found, norms, out=np.zeros_like(found), where=norms > 0)
    return cosines


def _greedy(hyp: MovedParts, ref: MovedParts) -> float:
    """Return the mean of both directions, parts weighing as much as they have words."""
    cosines = _cosines(hyp, ref)
    precision = hyp.masses @ cosines.max(axis=1) / hyp.masses.sum()
    recall = ref.masses @ cosines.max(axis=0) / ref.masses.sum()
    return float(np.clip((precision + recall) / 2, -1, 1))
