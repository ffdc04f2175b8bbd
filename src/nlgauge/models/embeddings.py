"""Vectors of a corpus' texts: each text is encoded once, whatever metrics and systems of a run ask
for it, and is kept on disk if a folder is given.

What does not fit the budget of memory goes to a temporary file.
"""

from __future__ import annotations

import hashlib
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO

import numpy as np

from nlgauge.data import Corpus
from nlgauge.errors import NlgaugeWarning
from nlgauge.models.encoders import Encoder, Pieces, States, batches, find_encoder

BUDGET = 256 << 20  # bytes of vectors in memory
BLOCK = 64 << 20  # bytes of vectors that a metric looks at together
_FOLDER = "folder of embeddings"


@dataclass(frozen=True, eq=False)
class Encoded:
    """A text's pieces and their vectors."""

    pieces: Pieces
    states: States  # [layers, pieces, width]


class Embeddings:
    """Vectors by text, of one encoder."""

    def __init__(self, encoder: Encoder, cache: str | None = None, *, budget: int = BUDGET) -> None:
        self.encoder = encoder
        self.cut = 0  # texts that were longer than the encoder takes
        self._budget = budget
        self._memory: dict[tuple[bytes, int], States] = {}  # by text and layer
        self._file: IO[bytes] | None = None
        self._places: dict[tuple[bytes, int], tuple[int, int]] = {}  # start, and end, in the file

    def encoded(
        self, texts: Iterable[str], layers: Sequence[int], *, threads: int = 1
    ) -> list[Encoded]:
        """Of each text, with these layers in this order; new texts are encoded together.

        The caller chooses how much it wants in memory; see `blocks`.
        """
        texts = list(texts)
        distinct = list(dict.fromkeys(texts))
        keys = {text: _key(text) for text in distinct}
        pieces = dict(zip(distinct, self.encoder.pieces(distinct), strict=True))
        new = [t for t in distinct if any((keys[t], k) not in self for k in layers)]
        fresh: dict[str, States] = {}
        for batch in batches([len(pieces[text]) for text in new]):
            chosen = [new[i] for i in batch]
            states = self.encoder.encode([pieces[t] for t in chosen], layers, threads=threads)
            for text, found in zip(chosen, states, strict=True):
                fresh[text] = found
                for layer, vectors in zip(layers, found, strict=True):
                    self._keep((keys[text], layer), vectors)
        self._warn([pieces[text] for text in new])
        return [
            Encoded(
                pieces[text],
                fresh[text]
                if text in fresh
                else np.stack([self._get((keys[text], layer)) for layer in layers]),
            )
            for text in texts
        ]

    def blocks(self, corpus: Corpus, layers: int = 1) -> Iterator[range]:
        """Runs of segments whose texts' vectors together fit in a few megabytes."""
        most = BLOCK // (4 * self.encoder.width * max(1, layers))
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

    def __contains__(self, key: tuple[bytes, int]) -> bool:
        return key in self._memory or key in self._places

    def _keep(self, key: tuple[bytes, int], vectors: States) -> None:
        if vectors.nbytes <= self._budget:
            self._budget -= vectors.nbytes
            self._memory[key] = vectors
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="nlgauge-")  # noqa: SIM115
        start = self._file.seek(0, 2)
        self._file.write(np.ascontiguousarray(vectors).tobytes())
        self._places[key] = (start, start + vectors.nbytes)

    def _get(self, key: tuple[bytes, int]) -> States:
        if key in self._memory:
            return self._memory[key]
        start, end = self._places[key]
        assert self._file is not None
        self._file.seek(start)
        found = np.frombuffer(self._file.read(end - start), np.float32)
        return found.reshape(-1, self.encoder.width)

    def _warn(self, pieces: Sequence[Pieces]) -> None:
        cut = [text.lost for text in pieces if text.lost]
        self.cut += len(cut)
        if cut:
            warnings.warn(
                f"{self.encoder.name}: reads {self.encoder.limit} pieces of a text at most; of "
                f"{len(cut)} texts, {sum(cut):,} pieces at the end are left out",
                NlgaugeWarning,
                stacklevel=3,
            )


def embeddings_of(corpus: Corpus, model: str, *, device: str = "cpu") -> Embeddings:
    """The one store that all metrics use which look at this corpus with this encoder."""
    found = find_encoder(model, device=device)
    folder = corpus.analysis.get(_FOLDER, (None, None))[1]
    return corpus.once(("embeddings", folder), found, lambda: Embeddings(found, folder))


def keep_embeddings(corpora: Iterable[Corpus], folder: str) -> None:
    """Let all that is scored from now on take vectors from a folder, and leave new ones there."""
    for corpus in corpora:
        corpus.analysis[_FOLDER] = (None, folder)


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]
