"""Where vectors go that do not fit in memory: a temporary file, or a folder in which they stay."""

from __future__ import annotations

import hashlib
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Protocol

import numpy as np

from nlgauge.errors import DataError
from nlgauge.models.encoders import States

Key = tuple[bytes, int]  # of a text, and the layer


class StateFile(Protocol):
    """Vectors by text and layer."""

    def __contains__(self, key: Key) -> bool: ...

    def read(self, key: Key) -> States:
        """As they were written: [pieces, width]."""

    def write(self, found: Mapping[Key, States]) -> None:
        """Add vectors."""


class Temporary:
    """Gone with the process."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._file = tempfile.TemporaryFile(prefix="nlgauge-")  # noqa: SIM115
        self._places: dict[Key, tuple[int, int]] = {}  # where they start, and how many bytes

    def __contains__(self, key: Key) -> bool:
        return key in self._places

    def read(self, key: Key) -> States:
        """From where they were put."""
        start, size = self._places[key]
        self._file.seek(start)
        return np.frombuffer(self._file.read(size), np.float32).reshape(-1, self._width)

    def write(self, found: Mapping[Key, States]) -> None:
        """At the end."""
        at = self._file.seek(0, 2)
        for key, vectors in found.items():
            self._file.write(vectors.tobytes())
            self._places[key] = (at, vectors.nbytes)
            at += vectors.nbytes


class Kept:
    """A database for each encoder, which other runs may read and write as well."""

    def __init__(self, folder: str, encoder: str, width: int) -> None:
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"{folder}: cannot be made ({error.strerror}); name a folder") from None
        self._width = width
        self._path = Path(folder) / f"{hashlib.sha256(encoder.encode()).hexdigest()[:16]}.states"
        with self._open() as database:
            database.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, data BLOB)")
            database.execute("CREATE TABLE IF NOT EXISTS encoder (name TEXT PRIMARY KEY)")
            database.execute("INSERT OR IGNORE INTO encoder VALUES (?)", (encoder,))
            database.commit()

    def _open(self) -> closing[sqlite3.Connection]:
        try:
            database = sqlite3.connect(self._path, timeout=60)
            database.execute("PRAGMA schema_version")
        except sqlite3.Error as error:
            raise DataError(f"{self._path}: {error}; delete the file, or name another") from None
        return closing(database)

    def __contains__(self, key: Key) -> bool:
        with self._open() as database:
            query = "SELECT 1 FROM vectors WHERE key = ?"
            return database.execute(query, (_name(key),)).fetchone() is not None

    def read(self, key: Key) -> States:
        """In single precision."""
        with self._open() as database:
            query = "SELECT data FROM vectors WHERE key = ?"
            (data,) = database.execute(query, (_name(key),)).fetchone()
        return np.frombuffer(data, np.float32).reshape(-1, self._width)

    def write(self, found: Mapping[Key, States]) -> None:
        """All at once."""
        rows = [(_name(key), vectors.tobytes()) for key, vectors in found.items()]
        with self._open() as database:
            database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
            database.commit()


def _name(key: Key) -> bytes:
    return key[0] + key[1].to_bytes(2, "little")
