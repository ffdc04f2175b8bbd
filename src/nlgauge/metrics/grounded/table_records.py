"""Tables as records: reads the shapes in which the data-to-text corpora hold them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError

SHAPES = (
    "a list of [attribute, value] or [head, relation, tail]; "
    "an object {attribute: value or list of values}; "
    "a list of objects with subject, predicate (or property, relation) and object; "
    'a list of texts "head | relation | tail" or "attribute ||| value"; '
    "an object with column_header and content (WikiBio); "
    "an object with table, highlighted_cells and table_page_title ... (ToTTo)"
)
_RELATIONS = ("predicate", "property", "relation")
_TITLES = ("page_title", "section_title", "section_text")


class TableRecord(NamedTuple):
    """One line of a table; of a triple, the value is head and tail."""

    attribute: str
    value: str
    recalled: bool = True  # whether the text should mention it, or it only backs what it says


_QUOTED = re.compile(r'(?<!\S)"([^"]*)"(?!\S)')
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def in_words(record: TableRecord) -> TableRecord:
    """Turn names of things and attributes into words: `Aarhus_Airport`, `"1950"`, `birthPlace`."""
    value = _QUOTED.sub(r"\1", record.value.replace("_", " "))
    return record._replace(
        value=value, attribute=_HUMP.sub(" ", record.attribute.replace("_", " "))
    )


class _ShapeError(Exception):
    pass


def records_of(corpus: Corpus) -> list[list[TableRecord]]:
    """Return the records of every segment's table."""
    assert corpus.tables is not None
    return [_records(corpus, i, table) for i, table in enumerate(corpus.tables)]


def _records(corpus: Corpus, i: int, table: Any) -> list[TableRecord]:
    try:
        return [record for record in _read(table) if record.value.strip()]
    except _ShapeError as found:
        raise DataError(
            f"{corpus.name}, table of {corpus.segment_name(i)}: {found}; accepted are: {SHAPES}"
        ) from None


def _read(table: Any) -> Iterator[TableRecord]:
    if isinstance(table, str):
        yield from map(_line, table.split("\t"))
    elif isinstance(table, Mapping):
        yield from _object(table)
    elif isinstance(table, (list, tuple)):
        if table and _is_row_of_cells(table[0]):
            yield from _totto({"table": table})
        else:
            yield from map(_entry, table)
    else:
        raise _ShapeError(f"{_shown(table)} as a whole")


def _object(table: Mapping[str, Any]) -> Iterator[TableRecord]:
    if isinstance(table.get("table"), (list, tuple)):
        yield from _totto(table)
    elif {"column_header", "content"} <= table.keys():
        names, values = table["column_header"], table["content"]
        if not all(isinstance(column, (list, tuple)) for column in (names, values)):
            raise _ShapeError(f"column_header {_shown(names)}, content {_shown(values)}")
        if len(names) != len(values):
            raise _ShapeError(f"{len(names)} entries in column_header, {len(values)} in content")
        for name, value in zip(names, values, strict=True):
            yield TableRecord(_text(name), _text(value))
    else:
        for attribute, value in table.items():
            for one in value if isinstance(value, (list, tuple)) else (value,):
                yield TableRecord(attribute, _text(one))


def _entry(entry: Any) -> TableRecord:
    if isinstance(entry, (list, tuple)):
        if len(entry) == 2:
            return TableRecord(_text(entry[0]), _text(entry[1]))
        if len(entry) == 3:
            return _triple(*entry)
    elif isinstance(entry, str):
        return _line(entry)
    elif isinstance(entry, Mapping) and {"subject", "object"} <= entry.keys():
        for relation in _RELATIONS:
            if relation in entry:
                return _triple(entry["subject"], entry[relation], entry["object"])
    raise _ShapeError(f"the entry {_shown(entry)}")


def _line(line: str) -> TableRecord:
    parts = line.split("|||") if "|||" in line else line.split(" | ")
    if len(parts) == 2:
        return TableRecord(parts[0], parts[1])
    if len(parts) == 3:
        return _triple(*parts)
    raise _ShapeError(f"the text {line!r:.60}, which is not cut in two or three by | or |||")


def _triple(head: Any, relation: Any, tail: Any) -> TableRecord:
    return TableRecord(_text(relation), f"{_text(head)} {_text(tail)}")


def _totto(table: Mapping[str, Any]) -> Iterator[TableRecord]:
    """Read a table as ToTTo's evaluation does: all cells and titles back the text, and it should
    mention the highlighted cells and the titles, but not the section's text.
    """
    highlighted = table.get("highlighted_cells")
    wanted = None if highlighted is None else {tuple(cell) for cell in highlighted}
    for r, row in enumerate(table["table"]):
        if not _is_row_of_cells(row):
            raise _ShapeError(f"the table's row {_shown(row)} (expected cells with a value)")
        for c, cell in enumerate(row):
            attribute = "header" if cell.get("is_header") else "cell"
            yield TableRecord(attribute, _text(cell["value"]), wanted is None or (r, c) in wanted)
    for title in _TITLES:
        yield TableRecord(title, _text(table.get(f"table_{title}")), title != "section_text")


def _is_row_of_cells(row: Any) -> bool:
    return isinstance(row, (list, tuple)) and all(
        isinstance(cell, Mapping) and "value" in cell for cell in row
    )


def _text(value: Any) -> str:
    """Return a text or number as text; a missing value is an empty one."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    raise _ShapeError(f"the value {_shown(value)}")


def _shown(value: Any) -> str:
    return f"{type(value).__name__} {value!r:.60}"
