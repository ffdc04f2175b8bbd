"""Read judgements from the database of a study, as `nlgauge annotate` keeps it.

The rows were made when answers were saved; nothing of the study but its view `judgements` is
needed here.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nlgauge.data.judgements import Judgements
from nlgauge.errors import DataError

COLUMNS = (
    "item", "system", "annotator", "criterion", "label", "against", "protocol", "part", "value",
    "seconds", "propensity", "severity", "start", "end",
)  # fmt: skip
IN_TABLES = {"start": "span_start", "end": "span_end"}  # which are words of SQL otherwise
_SINCE = {"propensity": 2, "severity": 3, "start": 3, "end": 3}  # versions of the tables


def selected(*, version: int = 3) -> str:
    """Return what a query selects for `COLUMNS`, from the view of a study of that version."""
    return ", ".join(
        "NULL" if version < _SINCE.get(name, 1) else IN_TABLES.get(name, name) for name in COLUMNS
    )


def query(*, version: int = 3) -> str:
    """Return the query for the rows of judgements of one kind, in a study of that version."""
    columns = selected(version=version)
    return f"SELECT {columns} FROM judgements WHERE kind = ? ORDER BY answer, criterion"


_MAGIC = b"SQLite format 3\0"


def is_study(path: str) -> bool:
    """Return whether a file is a database of SQLite."""
    try:
        with Path(path).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def read_study_judgements(path: str, *, kind: str = "main") -> Judgements:
    """Read the judgements of a study that count; the study may be in use."""
    file = Path(path).resolve()
    # Where nothing can be written, SQLite reads a study only if told that nobody writes to it.
    still = not os.access(file.parent, os.W_OK) and not Path(f"{file}-wal").exists()
    try:
        address = f"{file.as_uri()}?mode=ro{'&immutable=1' if still else ''}"
        connection = sqlite3.connect(address, uri=True)
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            rows = connection.execute(query(version=version), (kind,)).fetchall()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise DataError(
            f"{path}: cannot be read as a study ({error}); give a file that `nlgauge annotate new` "
            "made"
        ) from None
    if not rows:
        raise DataError(f"{path}: there are no judgements yet")
    return judgements_of(rows)


def judgements_of(rows: Sequence[Sequence[Any]]) -> Judgements:
    """Return rows of the view `judgements` as columns."""
    return Judgements.build(
        {name: value for name, value in zip(COLUMNS, row, strict=True) if value is not None}
        for row in rows
    )
