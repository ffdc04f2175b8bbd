"""Take the language of outputs from a column of records, such as lang_pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nlgauge.errors import DataError, SpecError
from nlgauge.io.column_names import ColumnNames
from nlgauge.io.fields import RecordPlace
from nlgauge.io.request import STDIN, Request
from nlgauge.io.texts.suites import RECORD_FORMATS, guess_format, names_of, read_rows

COLUMN = "lang_pair"


def language_in(rows: Iterable[tuple[RecordPlace, Mapping[str, Any]]]) -> str:
    """Return the one value that a column `lang_pair` has in all rows, or raise DataError."""
    first: tuple[RecordPlace, str] | None = None
    for place, row in rows:
        value = row.get(COLUMN)
        if not isinstance(value, str) or not value.strip():
            raise DataError(f"{place}: no {COLUMN!r}; name the language itself, such as lang=de")
        if first is not None and value != first[1]:
            raise DataError(
                f"{place}: {COLUMN} is {value}, but {first[1]} before ({first[0]}); score the "
                "records of each pair by themselves"
            )
        first = first or (place, value)
    if first is None:
        raise DataError("lang=lang_pair: there are no records")
    return first[1]


def read_language(
    paths: Sequence[str],
    *,
    format: str | None = None,
    encoding: str = "utf-8",
    columns: ColumnNames = ColumnNames(),  # noqa: B008
) -> str:
    """Return the one value of `lang_pair` in files of records."""
    names = names_of(paths)
    format = format or guess_format(names)
    if format not in RECORD_FORMATS or STDIN in names:
        raise SpecError("lang=lang_pair: only for files of records, such as jsonl, tsv or parquet")
    return language_in(
        read_rows(Request(format, names, encoding=encoding, columns=columns), [COLUMN])
    )
