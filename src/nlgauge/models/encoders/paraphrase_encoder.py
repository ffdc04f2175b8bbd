"""Encode sentences as means of the vectors of their words and of their words' character trigrams,
as `nlgauge train sim` fits them to paraphrases (Wieting et al., 2016, 2019).
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.core.file_cache import FileCache
from nlgauge.core.resources import read_resource
from nlgauge.io.write import atomic_binary, atomic_write
from nlgauge.models.files.artefacts import check_finite, header_of, reading
from nlgauge.text.preparation import Preparation

_WORDS = Preparation("13a", lowercase=True)
_VERSION = 1

Table = npt.NDArray[np.float32]


def features(words: Iterable[str]) -> list[str]:
    """Return words, and character trigrams of words between # marks."""
    found = []
    for word in words:
        padded = f"#{word}#"
        found += [f"w {word}", *(f"c {padded[i : i + 3]}" for i in range(len(padded) - 2))]
    return found


def words_of(texts: Iterable[str]) -> list[list[str]]:
    """Return the words of each text, in lower case."""
    return _WORDS.words(texts)


@dataclass(frozen=True, eq=False)
class ParaphraseEncoder:
    """A paraphrase encoder has a vector for every feature it knows; others are left out."""

    names: tuple[str, ...]
    table: Table  # [features, width]
    record: Mapping[str, Any]  # settings, hashes of the data, figures
    name: str = "untrained"

    def numbered(self, texts: Iterable[str]) -> list[npt.NDArray[np.int64]]:
        """Return the known features of each text, by number."""
        known = {name: k for k, name in enumerate(self.names)}
        return [
            np.array([known[f] for f in features(words) if f in known], np.int64)
            for words in words_of(texts)
        ]

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.names)

    def __contains__(self, word: object) -> bool:
        """Return whether something of a word is known: itself, or some of its letters."""
        return isinstance(word, str) and not self._known.isdisjoint(features([word]))

    def encode(self, texts: Iterable[str]) -> npt.NDArray[np.float64]:
        """Return one vector for each text, [texts, width]; 0 where nothing is known."""
        return means(self.table, self.numbered(texts))

    def write(self, path: str) -> None:
        """Write the model and, beside it as JSON, what is known of it."""
        names = np.frombuffer("\n".join(self.names).encode(), np.uint8)
        record = json.dumps(self.record, ensure_ascii=False, indent=2)
        packed = io.BytesIO()
        np.savez(
            packed,
            version=np.array(_VERSION),
            names=names,
            table=self.table,
            record=np.frombuffer(record.encode(), np.uint8),
        )
        with atomic_binary(path) as file:
            file.write(packed.getvalue())
        with atomic_write(f"{path}.json") as text:
            text.write(record + "\n")


def means(table: Table, texts: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.float64]:
    """Return the mean of each text's rows."""
    result = np.zeros((len(texts), table.shape[1]))
    for k, rows in enumerate(texts):
        if len(rows):
            result[k] = table[rows].mean(axis=0, dtype=np.float64)
    return result


def find_paraphrase_encoder(path: str) -> ParaphraseEncoder:
    """Return the encoder that was written to a file; read again when the file has changed."""
    return _encoders.get([path], path)


def _read(path: str) -> ParaphraseEncoder:
    data = read_resource("path", path)
    with reading(f"path={path}", "not a model of `nlgauge train sim`", "train it again"):
        if not data.startswith(b"PK"):
            raise ValueError("no .npz file")
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            if int(arrays["version"]) != _VERSION:
                raise ValueError(f"version {arrays['version']}")
            names = arrays["names"].tobytes().decode().split("\n")
            table = arrays["table"]
            record = header_of(arrays["record"].tobytes())
        if table.ndim != 2 or table.dtype.kind != "f" or len(table) != len(names):
            raise ValueError("names and vectors do not fit")
        check_finite({"table": table}, f"path={path}")
    name = f"{Path(path).name} {hashlib.sha256(data).hexdigest()[:12]}"
    return ParaphraseEncoder(tuple(names), table.astype(np.float32), record, name)


_encoders = FileCache(_read, most=2)
