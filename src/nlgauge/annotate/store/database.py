"""A database that a study is kept in: SQL is written once, with ? for what is filled in.

What is written comes back as a `Future`, done once it is on disk: nothing is told to be saved
before. SQLite has one thread that writes and puts what waits into one commit; PostgreSQL has a few
connections.
"""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from nlgauge.errors import DataError

T = TypeVar("T")
Rows = list[tuple[Any, ...]]


class StoreError(DataError):
    """The database could not be read or written: full, read-only, locked or gone."""


class Transaction(ABC):
    """A transaction runs statements that are done together or not at all."""

    @abstractmethod
    def rows(self, sql: str, *values: Any) -> Rows:
        """Run a statement and return its rows."""

    @abstractmethod
    def many(self, sql: str, values: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each of the values."""

    def run(self, sql: str, *values: Any) -> None:
        """Run a statement that returns nothing."""
        self.rows(sql, *values)

    def one(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        """Return the first row of a statement, or None."""
        found = self.rows(sql, *values)
        return found[0] if found else None

    def set_counters(self) -> None:  # noqa: B027  # SQLite goes on after the highest number
        """Let keys go on after those that were given by number."""

    def lock(self) -> None:  # noqa: B027  # where only one thread writes there is nothing to do
        """Keep other transactions from giving the same task out, until this one ends."""


class StudyDatabase(ABC):
    """A database reads at once and writes when it can."""

    name: str  # how messages call it
    at_once = False  # reading takes so little time that nobody need wait for it in a thread

    @abstractmethod
    def read(self, work: Callable[[Transaction], T]) -> T:
        """Run work that only reads, and return its result."""

    @abstractmethod
    def submit(self, work: Callable[[Transaction], T]) -> Future[T]:
        """Have work done that writes; the result comes when all of it is on disk."""

    @abstractmethod
    def close(self) -> None:
        """Finish what was submitted and let go of the database."""

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run work that writes, and wait until it is on disk."""
        return self.submit(work).result()

    def __enter__(self) -> StudyDatabase:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def plain(value: object) -> str:
    """Return a value as JSON, as the tables keep it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def is_address(name: str | os.PathLike[str]) -> bool:
    """Return whether a name is the address of a PostgreSQL database, and no file."""
    return os.fspath(name).startswith(("postgresql://", "postgres://"))


def open_database(name: str | os.PathLike[str], *, new: bool = False) -> StudyDatabase:
    """Open the database of a study, or make the empty tables of a new one."""
    if is_address(name):
        from nlgauge.annotate.store.postgres import Postgres

        return Postgres(os.fspath(name), new=new)
    from nlgauge.annotate.store.sqlite import SQLite

    return SQLite(os.fspath(name), new=new)
