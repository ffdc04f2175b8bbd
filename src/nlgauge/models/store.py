"""Parses of a corpus: computed once, shared by all metrics and systems of a run, and kept on disk
if a folder is given.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from nlgauge.data import Corpus
from nlgauge.errors import DataError
from nlgauge.io.conllu import write_conllu
from nlgauge.io.write import atomic_write
from nlgauge.models.parsers import find_parser
from nlgauge.models.parses import Parse, Parser

Sentences = list[Parse]
_FOLDER = "folder of parses"


class Store:
    """Parses by text, of one parser."""

    def __init__(self, parser: Parser, cache: str | None = None) -> None:
        self.parser = parser
        self._known: dict[str, Sentences] = {}
        self._disk = None if cache is None else _Disk(cache, parser.name)

    def parses(self, texts: Iterable[str], *, processes: int = 1) -> list[Sentences]:
        """The sentences of each text, the new ones parsed together."""
        texts = list(texts)
        new = self._new(texts)
        if new:
            parsed = dict(zip(new, self.parser.parse(new, processes=processes), strict=True))
            self._known.update(parsed)
            if self._disk is not None:
                self._disk.write(parsed)
        return [self._known[text] for text in texts]

    def words(self, texts: Iterable[str]) -> list[list[str]]:
        """The words of each text; what is not parsed yet need not be."""
        texts = list(texts)
        new = self._new(texts)
        found = dict(zip(new, self.parser.words(new), strict=True)) if new else {}
        return [
            found[text] if text in found else [w for p in self._known[text] for w in p.words]
            for text in texts
        ]

    def _new(self, texts: Iterable[str]) -> list[str]:
        """Texts that are neither known nor on disk."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new and self._disk is not None:
            self._known.update(self._disk.read(new))
            new = [text for text in new if text not in self._known]
        return new

    def export(self, path: str) -> None:
        """Write all parses as CoNLL-U; the option `parser` of metrics takes the file."""
        with atomic_write(path) as file:
            write_conllu(file, (parse for found in self._known.values() for parse in found))


def store_of(corpus: Corpus, parser: str, *, entities: bool = False) -> Store:
    """The one store that all metrics use which look at this corpus with this parser."""
    found = find_parser(parser, entities=entities)
    folder = corpus.analysis.get(_FOLDER, (None, None))[1]
    return corpus.once(("parses", folder), found, lambda: Store(found, folder))


def keep_parses(corpora: Iterable[Corpus], folder: str) -> None:
    """Let all that is scored from now on take parses from a folder, and leave new ones there."""
    for corpus in corpora:
        corpus.analysis[_FOLDER] = (None, folder)


class _Disk:
    """A file for each parser, by the hashes of texts."""

    def __init__(self, folder: str, parser: str) -> None:
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"{folder}: cannot be made ({error.strerror}); name a folder") from None
        self._path = Path(folder) / f"{hashlib.sha256(parser.encode()).hexdigest()[:16]}.parses"
        with self._open() as database:
            database.execute(
                "CREATE TABLE IF NOT EXISTS parses (text BLOB PRIMARY KEY, parse BLOB)"
            )
            database.execute("CREATE TABLE IF NOT EXISTS parser (name TEXT PRIMARY KEY)")
            database.execute("INSERT OR IGNORE INTO parser VALUES (?)", (parser,))
            database.commit()

    def _open(self) -> closing[sqlite3.Connection]:
        try:
            database = sqlite3.connect(self._path, timeout=60)
            database.execute("PRAGMA schema_version")
        except sqlite3.Error as error:
            raise DataError(f"{self._path}: {error}; delete the file, or name another") from None
        return closing(database)

    def read(self, texts: Sequence[str]) -> Iterator[tuple[str, Sentences]]:
        with self._open() as database:
            for text in texts:
                query = "SELECT parse FROM parses WHERE text = ?"
                found = database.execute(query, (_key(text),)).fetchone()
                if found is not None:
                    yield text, _unpack(found[0])

    def write(self, parsed: dict[str, Sentences]) -> None:
        rows = [(_key(text), _pack(sentences)) for text, sentences in parsed.items()]
        with self._open() as database:
            database.executemany("INSERT OR REPLACE INTO parses VALUES (?, ?)", rows)
            database.commit()


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _pack(sentences: Sentences) -> bytes:
    return zlib.compress(json.dumps([list(vars(parse).values()) for parse in sentences]).encode())


def _unpack(packed: bytes) -> Sentences:
    return [
        Parse(*map(tuple, columns), tuple(map(tuple, entities)))  # type: ignore[call-arg]
        for *columns, entities in json.loads(zlib.decompress(packed))
    ]
