"""Keep what was found in texts, by text: in memory, and on disk if a folder is given."""

from __future__ import annotations

import hashlib
import json
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic, TextIO, TypeVar

from nlgauge.io.write import atomic_write
from nlgauge.models.cache.database import Database

T = TypeVar("T")  # what a sentence becomes


class Analyses(ABC, Generic[T]):
    """These are the sentences of texts, as one model or file has them."""

    kind: ClassVar[str]  # what files on disk end in

    def __init__(self, model: str, cache: str | None = None) -> None:
        self._known: dict[str, list[T]] = {}
        self._disk = None if cache is None else Database(cache, self.kind, model)

    @abstractmethod
    def analyse(self, texts: Sequence[str], *, threads: int) -> list[list[T]]:
        """Return the sentences of texts that are not known yet."""

    @abstractmethod
    def plain(self, sentence: T) -> Any:
        """Return a sentence as JSON has it."""

    @abstractmethod
    def rebuilt(self, plain: Any) -> T:
        """Rebuild a sentence from what `plain` returned."""

    @abstractmethod
    def write(self, file: TextIO, sentences: Iterable[T]) -> None:
        """Write sentences as files have them that take the model's place."""

    def sentences(self, texts: Iterable[str], *, threads: int = 1) -> list[list[T]]:
        """Return the sentences of each text; the new ones are analysed together."""
        texts = list(texts)
        new = self.new(texts)
        if new:
            found = dict(zip(new, self.analyse(new, threads=threads), strict=True))
            self._known.update(found)
            if self._disk is not None:
                self._disk.write((_key(text), _pack(map(self.plain, found[text]))) for text in new)
        return [self._known[text] for text in texts]

    def new(self, texts: Iterable[str]) -> list[str]:
        """Return the texts that are neither known nor on disk."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new and self._disk is not None:
            for text, packed in zip(new, self._disk.read(map(_key, new)), strict=True):
                if packed is not None:
                    self._known[text] = self._unpacked(self._disk, packed)
            new = [text for text in new if text not in self._known]
        return new

    def _unpacked(self, disk: Database, packed: bytes) -> list[T]:
        try:
            return [*map(self.rebuilt, json.loads(zlib.decompress(packed)))]
        except (zlib.error, ValueError, TypeError, LookupError, RecursionError) as error:
            raise disk.damaged(error) from None

    def known(self, text: str) -> list[T]:
        """Return the sentences of a text that is not new."""
        return self._known[text]

    def export(self, path: str) -> None:
        """Write all that is known to a file that can take the model's place."""
        with atomic_write(path) as file:
            self.write(file, (sentence for found in self._known.values() for sentence in found))


def _pack(sentences: Iterable[Any]) -> bytes:
    return zlib.compress(json.dumps([*sentences]).encode())


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
