"""Take columns as users hand them in: lists, arrays, generators, or columns of a data frame.

pandas, polars and pyarrow are recognised by what their objects can do and are never imported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, MappingView, Sequence, Set
from typing import Any

from nlgauge.errors import DataError, did_you_mean
from nlgauge.kernels import Texts

# How columns of pyarrow, of NumPy and pandas, and of polars become lists.
_TO_LIST = ("to_pylist", "tolist", "to_list")
_MISSING_TYPES = ("NoneType", "NAType", "NaTType")

Column = list[Any] | tuple[Any, ...] | Texts  # one entry per segment


_REMEDIES: dict[type, str] = {bytes: "decode it", list: "give one text for each segment"}


def entries(what: str, given: Any) -> Column:
    """Return one entry per segment as a sequence; `what` is how errors call the argument."""
    if isinstance(given, list | tuple | Texts):
        return given
    kind = type(given).__name__
    if isinstance(given, str | bytes | bytearray):
        raise DataError(f"{what}: a single {kind} was given; a list is needed, one entry a segment")
    _refuse_tables(what, given)
    if isinstance(given, Mapping) or (
        isinstance(given, Set) and not isinstance(given, MappingView)
    ):
        raise DataError(
            f"{what}: a {kind} was given, whose entries have no numbers; give a list, with the "
            "entry of the first segment first"
        )
    convert = next((name for name in _TO_LIST if hasattr(given, name)), None)
    column = getattr(given, convert)() if convert else given
    if not isinstance(column, Iterable):
        raise DataError(f"{what}: {kind} {given!r:.40} was given; give a list, one entry a segment")
    return column if isinstance(column, list) else list(column)


def nested_entries(what: str, given: Any) -> Column:
    """Return `entries` of which each may be a column of its own, such as lists of references."""
    rows = entries(what, given)
    if isinstance(rows, Texts) or set(map(type, rows)) <= {str, list, tuple}:
        return rows
    return [
        entries(f"{what}, segment {i}", row) if _is_column(row) else row
        for i, row in enumerate(rows, 1)
    ]


def texts(what: str, given: Any) -> Texts:
    """Return the texts of all segments, packed into one column."""
    strings = entries(what, given)
    if isinstance(strings, Texts):
        return strings
    try:
        return Texts(strings)
    except TypeError as error:
        raise DataError(f"{what}: {fault(strings, nested=False) or error}") from None


def fault(column: Column, *, nested: bool = True) -> str:
    """Say what is wrong with the first entry of a column that is neither a text nor, if `nested`, a
    list of texts; nothing if all are.
    """
    for i, value in enumerate(column, 1):
        several = nested and isinstance(value, list | tuple)
        for k, text in enumerate(value if several else [value], 1):
            where = f"text {k} of segment {i}" if several else f"segment {i}"
            if is_missing(text):
                return (
                    f"{where} has no text ({text}): leave the segment out everywhere, or write '' "
                    "if the text is empty"
                )
            if not isinstance(text, str):
                how = _REMEDIES.get(type(text), "write it as text")
                return f"{where} is {type(text).__name__} {text!r:.40}, expected str; {how}"
    return ""


def is_missing(value: Any) -> bool:
    """Return whether a value stands for none: None, NaN, NA."""
    kind = type(value).__name__
    return kind in _MISSING_TYPES or (isinstance(value, float) and value != value)


def ids(given: Any) -> list[str]:
    """Return ids of segments as str. Whole numbers are written out, as readers of files do."""
    found = []
    for i, name in enumerate(entries("ids", given), 1):
        if hasattr(name, "__index__") and not isinstance(name, bool):
            name = str(name.__index__())
        if not isinstance(name, str) or not name:
            raise DataError(
                f"ids: that of segment {i} is {type(name).__name__} {name!r:.40}; give a name or a "
                "whole number for every segment, or no ids at all"
            )
        found.append(name)
    return found


def records(what: str, given: Any) -> list[Mapping[str, Any]]:
    """Return one mapping per row: of a list of them, or of a table of pandas, polars or pyarrow.
    Missing values of a table are None.
    """
    table: Iterable[Mapping[Any, Any]] | None = None
    _refuse_twins(what, _column_names(given) or [])
    if hasattr(given, "column_names"):  # of pyarrow, or of Hugging Face's datasets
        table = given.to_pylist() if hasattr(given, "to_pylist") else given.to_list()
    elif hasattr(given, "to_dicts"):
        table = given.to_dicts()
    elif hasattr(given, "columns") and hasattr(given, "to_dict"):
        table = given.to_dict(orient="records")
    if table is not None:
        return [
            {str(name): None if is_missing(value) else value for name, value in row.items()}
            for row in table
        ]
    rows = list(entries(what, given))
    for i, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise DataError(f"{what}: row {i} is {type(row).__name__}, expected a dict of fields")
    return rows


def _refuse_twins(what: str, names: Sequence[str]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise DataError(f"{what}: {count} columns are called {name!r}; rename all but one")


def cell(what: str, row: Mapping[str, Any], name: str) -> Any:
    """Return the value of a row in the column of that name; `what` is how errors call the row."""
    if name in row:
        return row[name]
    hint = did_you_mean(name, row, f"there is: {', '.join(map(repr, row))}")
    raise DataError(f"{what}: no column {name!r}; {hint}")


def is_frame(given: Any) -> bool:
    """Return whether something is a table of pandas, polars or pyarrow, or a list of records."""
    if isinstance(given, list | tuple):
        return bool(given) and isinstance(given[0], Mapping)
    return _column_names(given) is not None


def _column_names(given: Any) -> list[str] | None:
    """Return the names of a table's columns; None of what is no table."""
    # A table of pyarrow has its names here, and in `columns` the columns themselves.
    names = getattr(given, "column_names", None)
    names = getattr(given, "columns", None) if names is None else names
    if names is None or callable(names) or not hasattr(given, "shape"):
        return None
    return [str(name) for name in names]


def _is_column(row: Any) -> bool:
    """Return whether an entry is a column that has to become a list; others stay as they are."""
    return not isinstance(row, str | list | tuple) and isinstance(row, Iterable)


def _refuse_tables(what: str, given: Any) -> None:
    """Refuse whole tables: iterating over one gives the names of its columns."""
    if (known := _column_names(given)) is not None:
        first = f", such as data[{known[0]!r}]" if known else ""
        raise DataError(
            f"{what}: a whole {type(given).__name__} was given; give one of its columns{first} "
            f"(it has: {', '.join(known) or 'none'})"
        )
    if getattr(given, "ndim", 1) == 0:
        raise DataError(f"{what}: an array without length was given; give one entry a segment")
