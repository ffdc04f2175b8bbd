"""What a model found, kept in a folder by key: one file for each model, which other runs may read
and write as well.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from nlgauge.errors import DataError


class Database:
    """Bytes by key."""

    def __init__(self, folder: str, kind: str, model: str) -> None:
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"{folder}: cannot be made ({error.strerror}); name a folder") from None
        self._path = Path(folder) / f"{hashlib.sha256(model.encode()).hexdigest()[:16]}.{kind}"
        with self._open() as database:
            database.execute("CREATE TABLE IF NOT EXISTS found (key BLOB PRIMARY KEY, data BLOB)")
            database.execute("CREATE TABLE IF NOT EXISTS model (name TEXT PRIMARY KEY)")
            database.execute("INSERT OR IGNORE INTO model VALUES (?)", (model,))
            database.commit()

    def _open(self) -> closing[sqlite3.Connection]:
        try:
            database = sqlite3.connect(self._path, timeout=60)
            database.execute("PRAGMA schema_version")
        except sqlite3.Error as error:
            raise DataError(f"{self._path}: {error}; delete the file, or name another") from None
        return closing(database)

    def __contains__(self, key: bytes) -> bool:
        with self._open() as database:
            query = "SELECT 1 FROM found WHERE key = ?"
            return database.execute(query, (key,)).fetchone() is not None

    def read(self, keys: Iterable[bytes]) -> list[bytes | None]:
        """What belongs to each key."""
        with self._open() as database:
            query = "SELECT data FROM found WHERE key = ?"
            rows = [database.execute(query, (key,)).fetchone() for key in keys]
        return [None if row is None else row[0] for row in rows]

    def write(self, rows: Iterable[tuple[bytes, bytes]]) -> None:
        """All at once."""
        with self._open() as database:
            database.executemany("INSERT OR REPLACE INTO found VALUES (?, ?)", rows)
            database.commit()
