"""What was found in texts, by text: computed once, and kept on disk if a folder is given."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar, Generic, TextIO, TypeVar

from nlgauge.errors import DataError
from nlgauge.io.write import atomic_write

T = TypeVar("T")  # what a sentence becomes


class Analyses(ABC, Generic[T]):
    """The sentences of texts, as one model or file has them."""

    kind: ClassVar[str]  # what files on disk end in

    def __init__(self, model: str, cache: str | None = None) -> None:
        self._known: dict[str, list[T]] = {}
        self._disk = None if cache is None else _Disk(cache, self.kind, model)

    @abstractmethod
    def analyse(self, texts: Sequence[str], *, threads: int) -> list[list[T]]:
        """The sentences of texts that are not known yet."""

    @abstractmethod
    def plain(self, sentence: T) -> Any:
        """A sentence as JSON has it."""

    @abstractmethod
    def rebuilt(self, plain: Any) -> T:
        """The sentence again."""

    @abstractmethod
    def write(self, file: TextIO, sentences: Iterable[T]) -> None:
        """Write sentences as files have them that take the model's place."""

    def sentences(self, texts: Iterable[str], *, threads: int = 1) -> list[list[T]]:
        """Those of each text; the new ones are analysed together."""
        texts = list(texts)
        new = self.new(texts)
        if new:
            found = dict(zip(new, self.analyse(new, threads=threads), strict=True))
            self._known.update(found)
            if self._disk is not None:
                packed = ((text, [*map(self.plain, found[text])]) for text in new)
                self._disk.write(packed)
        return [self._known[text] for text in texts]

    def new(self, texts: Iterable[str]) -> list[str]:
        """Texts that are neither known nor on disk."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new and self._disk is not None:
            for text, found in self._disk.read(new):
                self._known[text] = [*map(self.rebuilt, found)]
            new = [text for text in new if text not in self._known]
        return new

    def known(self, text: str) -> list[T]:
        """The sentences of a text that is not new."""
        return self._known[text]

    def export(self, path: str) -> None:
        """Write all that is known to a file that can take the model's place."""
        with atomic_write(path) as file:
            self.write(file, (sentence for found in self._known.values() for sentence in found))


class _Disk:
    """A file for each kind and model, by the hashes of texts."""

    def __init__(self, folder: str, kind: str, model: str) -> None:
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"{folder}: cannot be made ({error.strerror}); name a folder") from None
        self._path = Path(folder) / f"{hashlib.sha256(model.encode()).hexdigest()[:16]}.{kind}"
        with self._open() as database:
            database.execute(
                "CREATE TABLE IF NOT EXISTS parses (text BLOB PRIMARY KEY, parse BLOB)"
            )
            database.execute("CREATE TABLE IF NOT EXISTS parser (name TEXT PRIMARY KEY)")
            database.execute("INSERT OR IGNORE INTO parser VALUES (?)", (model,))
            database.commit()

    def _open(self) -> closing[sqlite3.Connection]:
        try:
            database = sqlite3.connect(self._path, timeout=60)
            database.execute("PRAGMA schema_version")
        except sqlite3.Error as error:
            raise DataError(f"{self._path}: {error}; delete the file, or name another") from None
        return closing(database)

    def read(self, texts: Sequence[str]) -> Iterator[tuple[str, list[Any]]]:
        with self._open() as database:
            for text in texts:
                query = "SELECT parse FROM parses WHERE text = ?"
                found = database.execute(query, (_key(text),)).fetchone()
                if found is not None:
                    yield text, json.loads(zlib.decompress(found[0]))

    def write(self, found: Iterable[tuple[str, list[Any]]]) -> None:
        rows = [
            (_key(text), zlib.compress(json.dumps(sentences).encode())) for text, sentences in found
        ]
        with self._open() as database:
            database.executemany("INSERT OR REPLACE INTO parses VALUES (?, ?)", rows)
            database.commit()


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
