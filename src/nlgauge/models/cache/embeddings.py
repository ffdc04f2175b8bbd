"""Encode each text of a corpus once, whatever metrics and systems of a run ask for it, and keep the
vectors on disk if a folder is given.

What does not fit the budget of memory goes to a temporary file, or to that folder.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from nlgauge.core.arithmetic import unit_vectors
from nlgauge.data.corpus import Corpus
from nlgauge.errors import NlgaugeWarning
from nlgauge.kernels import Floats, Texts
from nlgauge.models.cache.state_files import KeptStates, Key, StateFile, TemporaryStates
from nlgauge.models.encoders.encoder import Encoder, Pieces, States, batches, find_encoder

BUDGET = 256 << 20  # bytes of vectors in memory
BLOCK = 64 << 20  # bytes of vectors that a metric looks at together
_MOST_READ = 20_000  # texts whose pieces are kept
Watcher = Callable[[int], None]
Pooling = Literal["mean", "max"]


@dataclass(frozen=True, eq=False)
class EncodedText:
    """An encoded text has its pieces and their vectors."""

    pieces: Pieces
    states: States  # [layers, pieces, width]


@dataclass(frozen=True, eq=False)
class EncodedSentences:
    """Encoded sentences are texts as one vector for each layer, and their lengths."""

    means: Floats  # [layers, texts, width]: of all pieces, the special ones included
    lengths: npt.NDArray[np.int64]  # in pieces, without special ones

    def vectors(self) -> Floats:
        """Return vectors of length 1, the layers side by side and alike: [texts, layers * width].

        With the last layer of MiniLM alone, these are those of sentence-transformers.
        """
        layers = [unit_vectors(means) for means in self.means]
        joined: Floats = np.concatenate(layers, axis=1) / np.sqrt(len(layers))
        return joined

    def cosines(self, left: list[int], right: list[int]) -> Floats:
        """Return the cosines of pairs of texts, given by their numbers: [layers, pairs]."""
        found = []
        for means in self.means:
            lengths = np.maximum(np.linalg.norm(means, axis=1), 1e-12)
            products = np.einsum("ij,ij->i", means[left], means[right])
            found.append(np.minimum(products / lengths[left] / lengths[right], 1.0))
        return np.stack(found)


class Embeddings:
    """These are vectors by text, of one encoder; `watcher` hears how many texts are encoded."""

    def __init__(
        self,
        encoder: Encoder,
        cache: str | None = None,
        *,
        budget: int = BUDGET,
        watcher: Watcher | None = None,
    ) -> None:
        self.encoder = encoder
        self._budget = budget
        self._memory: dict[Key, States] = {}
        self._keeps = cache is not None
        self._file: StateFile = (
            TemporaryStates(encoder.width)
            if cache is None
            else KeptStates(cache, encoder.name, encoder.width)
        )
        self._watcher, self._done = watcher, 0
        self._expected: set[int] = set()
        self._read: dict[str, Pieces] = {}  # several metrics ask for the same texts

    def expect(self, layers: Iterable[int]) -> None:
        """Keep these layers, too, of texts that are encoded from now on: somebody will ask for
        them.
        """
        self._expected.update(layers)

    def encoded(
        self, texts: Iterable[str], layers: Sequence[int], *, threads: int = 1
    ) -> list[EncodedText]:
        """Return each text with these layers in this order; new texts are encoded together.

        The caller chooses how much it wants in memory; see `blocks`.
        """
        texts = list(texts)
        distinct = list(dict.fromkeys(texts))
        pieces = self._pieces(distinct)
        # Texts that differ in case only may be the same to the encoder.
        keys = {text: _key(pieces[text]) for text in distinct}
        by_key = {keys[text]: pieces[text] for text in distinct}
        new = [key for key in by_key if not all((key, layer) in self for layer in layers)]
        found: dict[bytes, States] = {}
        more = [*layers, *sorted(self._expected.difference(layers))]
        for batch in batches([len(by_key[key]) for key in new]):
            chosen = [new[i] for i in batch]
            states = self.encoder.encode([by_key[k] for k in chosen], more, threads=threads)
            found.update((k, x[: len(layers)]) for k, x in zip(chosen, states, strict=True))
            self._keep(
                {
                    (k, layer): x
                    for k, own in zip(chosen, states, strict=True)
                    for layer, x in zip(more, own, strict=True)
                }
            )
            self._done += len(chosen)
            if self._watcher is not None:
                self._watcher(self._done)
        for key in by_key:
            if key not in found:
                found[key] = np.stack([self._get((key, layer)) for layer in layers])
        return [EncodedText(pieces[text], found[keys[text]]) for text in texts]

    def _pieces(self, texts: Sequence[str]) -> dict[str, Pieces]:
        """Return the pieces of distinct texts, which are cut once if there are not too many."""
        new = [text for text in texts if text not in self._read]
        found = dict(zip(new, self.encoder.pieces(new), strict=True))
        every = {text: found.get(text) or self._read[text] for text in texts}
        if len(self._read) + len(found) <= _MOST_READ:
            self._read.update(found)
        return every

    def sentences(
        self,
        texts: Iterable[str],
        layers: Sequence[int],
        *,
        pooling: Pooling = "mean",
        threads: int = 1,
    ) -> EncodedSentences:
        """Return texts as the means of their pieces' vectors at these layers, or the largest number
        in each dimension, of any number of texts: only few of their pieces are in memory at a time.
        """
        texts = list(texts)
        size = max(1, self._most_pieces(len(layers)) // self.encoder.limit)
        means = np.zeros((len(layers), len(texts), self.encoder.width))
        lengths = np.zeros(len(texts), np.int64)
        for start in range(0, len(texts), size):
            found = self.encoded(texts[start : start + size], layers, threads=threads)
            for k, text in enumerate(found, start):
                if pooling == "max":
                    means[:, k] = text.states.max(axis=1)
                else:
                    means[:, k] = text.states.mean(axis=1, dtype=np.float64)
                lengths[k] = np.count_nonzero(~text.pieces.special)
        return EncodedSentences(means, lengths)

    def blocks(self, corpus: Corpus, layers: int = 1) -> Iterator[range]:
        """Yield runs of segments whose texts' vectors together fit in a few megabytes."""
        most = self._most_pieces(layers)
        start = size = 0
        for i in range(len(corpus)):
            texts = (corpus.hypotheses[i], *corpus.references[i])
            # A piece has a character at least; two are special.
            own = sum(min(self.encoder.limit, len(text) + 2) for text in texts)
            if size + own > most and i > start:
                yield range(start, i)
                start, size = i, 0
            size += own
        yield range(start, len(corpus))

    def _most_pieces(self, layers: int) -> int:
        """Return how many pieces' vectors are looked at together."""
        return BLOCK // (4 * self.encoder.width * max(1, layers + len(self._expected)))

    def lost(self, texts: Iterable[str]) -> list[int]:
        """Return how many pieces of each text that is too long are left out."""
        long = (text for text in texts if len(text) + 2 > self.encoder.limit)
        return [pieces.lost for pieces in self.encoder.pieces(long) if pieces.lost]

    def __contains__(self, key: Key) -> bool:
        return key in self._memory or key in self._file

    def _get(self, key: Key) -> States:
        return self._memory[key] if key in self._memory else self._file.read(key)

    def _keep(self, found: dict[Key, States]) -> None:
        rest = {}
        for key, vectors in found.items():
            if vectors.nbytes <= self._budget:
                self._budget -= vectors.nbytes
                self._memory[key] = vectors
            else:
                rest[key] = vectors
        self._file.write(found if self._keeps else rest)


def embeddings_of(corpus: Corpus, model: str, *, device: str = "cpu") -> Embeddings:
    """Return the one store that all metrics use which look at this corpus with this encoder."""
    found = find_encoder(model, device=device)
    folder, watcher = corpus.context.embedding_cache, corpus.context.on_encoded
    store = corpus.once(
        ("embeddings", folder, watcher), found, lambda: Embeddings(found, folder, watcher=watcher)
    )
    warn_of_long_texts(corpus, store, corpus.name, corpus.hypotheses)
    warn_of_long_texts(corpus, store, "references", corpus.references.flat)
    return store


def warn_of_long_texts(corpus: Corpus, store: Embeddings, name: str, texts: Texts) -> None:
    """Warn once, with numbers, of texts of a corpus that are longer than the encoder reads."""
    corpus.once(("cut", store.encoder.name), texts, lambda: _warn(store, name, texts))


def _warn(store: Embeddings, name: str, texts: Texts) -> None:
    lost = store.lost(texts)
    if lost:
        encoder = store.encoder
        warnings.warn(
            f"{name}: {len(lost)} of {len(texts)} texts are longer than the {encoder.limit} pieces "
            f"that {encoder.name} reads; {sum(lost):,} pieces at their ends are left out",
            NlgaugeWarning,
            stacklevel=2,
        )


def _key(pieces: Pieces) -> bytes:
    return hashlib.sha256(pieces.ids.astype("<i4", copy=False).tobytes()).digest()[:16]
