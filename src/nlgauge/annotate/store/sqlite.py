"""A study in one SQLite file: write-ahead log, every commit on disk, one thread that writes.

Whatever waits when the thread comes round goes into one commit, each piece of work in a savepoint
of its own, so that one that fails takes nothing else with it.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from nlgauge.annotate.store import schema
from nlgauge.annotate.store.database import Rows, StoreError, StudyDatabase, Transaction
from nlgauge.annotate.store.file_systems import check_local
from nlgauge.errors import DataError

T = TypeVar("T")
_MOST_TOGETHER = 200  # pieces of work in one commit
_WAIT = 10.0  # seconds that another process may hold the file
_REMEDIES = {
    "full": "free some space on the disk",
    "readonly": "make the file and its folder writable",
    "unable to open": "make the file and its folder writable",
    "locked": "end the other program that writes to it",
    "malformed": "restore it from a copy",
    "disk I/O": "look whether the disk is full or broken",
}
_Work = tuple[Callable[[Transaction], Any], Future[Any]]


def remove_study(path: str) -> None:
    """Remove the file of a study that could not be made, and what SQLite keeps beside it."""
    for ending in ("", "-wal", "-shm"):
        Path(path + ending).unlink(missing_ok=True)


class SQLiteTransaction(Transaction):
    """A transaction on a connection of SQLite."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, sql: str, *values: Any) -> Rows:
        """Run a statement and return its rows."""
        return self._connection.execute(sql, values).fetchall()

    def many(self, sql: str, values: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each of the values."""
        self._connection.executemany(sql, values)


class SQLite(StudyDatabase):
    """A study in a file."""

    at_once = True

    def __init__(self, path: str, *, new: bool = False) -> None:
        self.name = path
        self._path = Path(path)
        self._check(new)
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        self._waiting: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._closed = False
        try:
            self._writer = self._connect()
            if new:
                self._create()
            else:
                self._upgrade()
        except sqlite3.Error as error:
            if new:
                with suppress(AttributeError):  # there is none if it could not be opened
                    self._writer.close()
                remove_study(path)
            raise self._told(error) from None
        self._thread = threading.Thread(target=self._write_on, name="study writer", daemon=True)
        self._thread.start()

    def read(self, work: Callable[[Transaction], T]) -> T:
        """Run work that only reads, on a connection of this thread."""
        try:
            connection = getattr(self._local, "connection", None)
            if connection is None:
                connection = self._local.connection = self._connect()
                connection.execute("PRAGMA query_only = ON")
                self._readers.append(connection)
            return work(SQLiteTransaction(connection))
        except sqlite3.Error as error:
            raise self._told(error) from None

    def submit(self, work: Callable[[Transaction], T]) -> Future[T]:
        """Have the writing thread do work; the result comes after the commit."""
        future: Future[T] = Future()
        if self._closed:
            future.set_exception(StoreError(f"{self.name}: is closed"))
        else:
            self._waiting.put((work, future))
        return future

    def close(self) -> None:
        """Finish what was submitted and close the file."""
        if self._closed:
            return
        self._closed = True
        self._waiting.put(None)
        self._thread.join()
        for reader in self._readers:
            reader.close()
        self._writer.close()

    def _check(self, new: bool) -> None:
        if new and self._path.exists():
            raise DataError(f"{self.name}: is there already; give another name, or remove it first")
        if not new and not self._path.is_file():
            raise DataError(f"{self.name}: no such study; make one with `nlgauge annotate new`")
        folder = self._path.resolve().parent
        if not folder.is_dir():
            raise DataError(f"{self.name}: the folder {folder} is not there; make it first")
        check_local(folder)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, timeout=_WAIT, isolation_level=None, check_same_thread=False
        )
        # FULL: a commit returns when it is on disk, also if the power fails in the next moment.
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
            "secure_delete = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")
        return connection

    def _create(self) -> None:
        self._path.chmod(0o600)  # it holds the secret that links are signed with
        types = {"id": "INTEGER PRIMARY KEY", "bytes": "BLOB"}
        self._writer.execute("BEGIN IMMEDIATE")
        for statement in (*schema.TABLES, *schema.VIEWS, *schema.SQLITE_TRIGGERS):
            self._writer.execute(statement.format(**types))
        self._writer.execute(f"PRAGMA user_version = {schema.VERSION}")
        self._writer.execute("COMMIT")

    def _upgrade(self) -> None:
        (version,) = self._writer.execute("PRAGMA user_version").fetchone()
        if not 1 <= version <= schema.VERSION:
            raise DataError(
                f"{self.name}: is no study, or one of a newer nlgauge (version {version} of the "
                f"tables, this one knows 1 to {schema.VERSION}); upgrade nlgauge"
            )
        if version == schema.VERSION:
            return
        self._writer.execute("BEGIN IMMEDIATE")
        for later in range(version + 1, schema.VERSION + 1):
            for statement in schema.UPGRADES[later]:
                self._writer.execute(statement)
        self._writer.execute(f"PRAGMA user_version = {schema.VERSION}")
        self._writer.execute("COMMIT")

    def _write_on(self) -> None:
        while (first := self._waiting.get()) is not None:
            together = [first]
            ended = False
            while len(together) < _MOST_TOGETHER and not self._waiting.empty():
                following = self._waiting.get()
                if following is None:
                    ended = True
                    break
                together.append(following)
            self._commit(together)
            if ended:
                return

    def _commit(self, together: Sequence[_Work]) -> None:
        done: list[tuple[Future[Any], Any]] = []
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            for work, future in together:
                self._writer.execute("SAVEPOINT piece")
                try:
                    done.append((future, work(SQLiteTransaction(self._writer))))
                    self._writer.execute("RELEASE piece")
                except BaseException as error:
                    if not self._writer.in_transaction:  # SQLite has given up the whole of it
                        raise
                    self._writer.execute("ROLLBACK TO piece")
                    self._writer.execute("RELEASE piece")
                    future.set_exception(self._told(error))
            self._writer.execute("COMMIT")
        except BaseException as error:
            with suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            for _, future in together:
                if not future.done():
                    future.set_exception(self._told(error))
            return
        for future, result in done:
            future.set_result(result)

    def _told(self, error: BaseException) -> BaseException:
        if not isinstance(error, sqlite3.Error):
            return error
        reason = str(error)
        remedy = next((said for part, said in _REMEDIES.items() if part in reason), "")
        if "not a database" in reason:
            return DataError(f"{self.name}: is no study ({reason}); give the file `new` made")
        return StoreError(f"{self.name}: {reason}" + (f"; {remedy}" if remedy else ""))
