"""Keep what a model found in a folder, by key: one file for each model, which other runs may read
and write as well.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from nlgauge.errors import DataError

Entry = tuple[bytes, bytes]  # a key, and what belongs to it
PATIENCE = 60  # seconds that another run may keep the file for itself
_DELETE = "delete the file, which is only a cache"


def _remedy(error: sqlite3.Error) -> str:
    """Say what to do; only a file that is no database is to be deleted."""
    told = str(error)
    if "locked" in told:
        return "another run is using it; wait until that has ended, or name another folder"
    if "full" in told:
        return "free some space, or name a folder on another disk"
    if "no such" in told or "column" in told:  # a database, but not ours
        return _DELETE
    if isinstance(error, sqlite3.OperationalError):  # no permission, no folder, a failing disk
        return "check that folder and file are writable, or name another folder"
    return _DELETE


class Database:
    """A database keeps bytes by key, in a file of one model."""

    def __init__(self, folder: str, kind: str, model: str) -> None:
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"{folder}: cannot be made ({error.strerror}); name a folder") from None
        self._path = Path(folder) / f"{hashlib.sha256(model.encode()).hexdigest()[:16]}.{kind}"
        with self._open() as database:
            database.execute("PRAGMA schema_version")
            database.execute("CREATE TABLE IF NOT EXISTS found (key BLOB PRIMARY KEY, data BLOB)")
            database.execute("CREATE TABLE IF NOT EXISTS model (name TEXT PRIMARY KEY)")
            database.execute("INSERT OR IGNORE INTO model VALUES (?)", (model,))
            database.commit()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Return a connection; whatever goes wrong with it becomes our error, with what to do."""
        try:
            with closing(sqlite3.connect(self._path, timeout=PATIENCE)) as database:
                yield database
        except sqlite3.Error as error:
            raise DataError(f"{self._path}: {error}; {_remedy(error)}") from None

    def damaged(self, error: object) -> DataError:
        """Return the error for contents that are not what was written."""
        return DataError(f"{self._path}: is damaged ({error}); {_DELETE}")

    def __contains__(self, key: bytes) -> bool:
        with self._open() as database:
            query = "SELECT 1 FROM found WHERE key = ?"
            return database.execute(query, (key,)).fetchone() is not None

    def read(self, keys: Iterable[bytes]) -> list[bytes | None]:
        """Return what belongs to each key, or None."""
        with self._open() as database:
            query = "SELECT data FROM found WHERE key = ?"
            rows = [database.execute(query, (key,)).fetchone() for key in keys]
        found = [None if row is None else row[0] for row in rows]
        for data in found:
            if data is not None and not isinstance(data, bytes):
                raise self.damaged(f"{type(data).__name__} instead of bytes")
        return found

    def write(self, rows: Iterable[Entry]) -> None:
        """Write all entries at once, or none of them."""
        with self._open() as database:
            _insert(database, rows)

    @contextmanager
    def kept_open(self) -> Iterator[Callable[[Iterable[Entry]], None]]:
        """Return what writes entries at once, and often: the file stays open, and entries outlive
        the process, however it ends.
        """
        with self._open() as database:
            # The system writes to the disk when it likes; only with its own end could the last
            # entries be lost.
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            yield partial(_insert, database)


def _insert(database: sqlite3.Connection, rows: Iterable[Entry]) -> None:
    database.executemany("INSERT OR REPLACE INTO found VALUES (?, ?)", rows)
    database.commit()
