"""Small, whole files of every binary format that nlgauge reads, for tests that damage them."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
from safetensors.numpy import save

from nlgauge.models.encoders.encoder import Pieces
from nlgauge.models.encoders.paraphrase_encoder import ParaphraseEncoder
from nlgauge.models.vectors.vector_files import indexed

WORDS = ["the", "cat", "sat", "on", "Zürich", "mat"]
MATRIX = np.arange(18, dtype=np.float32).reshape(6, 3) - 4
TEXTS = ["the cat sat", "on Zürich mat"]


def vectors() -> Any:
    data = "".join(WORDS).encode()
    starts = np.cumsum([0, *(len(w.encode()) for w in WORDS)], dtype=np.int64)
    return indexed("six words", MATRIX, np.frombuffer(data, np.uint8), starts)


def word2vec() -> bytes:
    rows = zip(WORDS, MATRIX, strict=True)
    return b"6 3\n" + b"".join(w.encode() + b" " + x.tobytes() + b"\n" for w, x in rows)


TENSORS = {"a": np.ones((2, 3), np.float32), "b": np.arange(4, dtype=np.int64)}


def tensors(
    edit: Callable[[dict[str, Any]], None] | None = None, body: bytes | None = None
) -> bytes:
    data = save(TENSORS)
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    if edit is not None:
        edit(header)
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + (data[8 + size :] if body is None else body)


class Letters:
    """A tokeniser: each letter is a piece."""

    limit = 40

    def pieces(self, texts: list[str]) -> list[Any]:
        def one(text: str) -> Pieces:
            ids = np.array([ord(c) % 31 for c in text], np.int32)
            spans = np.zeros((len(ids), 2), np.int32)
            return Pieces(ids, tuple(text), np.arange(len(ids), dtype=np.int32), spans)

        return [one(text) for text in texts]


def trained() -> ParaphraseEncoder:
    return ParaphraseEncoder(("w the", "w cat"), np.ones((2, 4), np.float32), {"seed": 1})


def small_wordnet() -> dict[str, np.ndarray]:
    return {
        "lemma_bytes": np.frombuffer(b"catdogfelid", "u1"),
        "lemma_starts": np.array([0, 3, 6, 11], "<u4"),
        "sense_starts": np.array([0, 1, 2, 3], "<u4"),
        "senses": np.array([0, 1, 2], "<u4"),
        "synset_offsets": np.array([5, 9, 12], "<u4"),
        "part_starts": np.array([0, 3, 3, 3, 3], "<u4"),
        "hypernym_starts": np.array([0, 1, 1, 1], "<u4"),
        "hypernyms": np.array([2], "<u4"),
        "antonyms": np.array([0, 0, 1, 1], "<u4"),
        "exceptions": np.frombuffer(b"n kine cat\n", "u1"),
        "spelled_senses": np.array([1], "<u4"),
        "spelled_starts": np.array([0, 3], "<u4"),
        "spelled_bytes": np.frombuffer(b"Dog", "u1"),
    }


def wordnet_file(arrays: dict[str, np.ndarray]) -> bytes:
    places, at = {}, 0
    for name, array in arrays.items():
        places[name] = [array.dtype.str, at, array.size]
        at += -(-array.nbytes // 8) * 8
    header = b"nlgauge wordnet 2\n" + json.dumps(places).encode()
    header += b" " * (-(len(header) + 1) % 8) + b"\n"
    return header + b"".join(a.tobytes() + bytes(-a.nbytes % 8) for a in arrays.values())
