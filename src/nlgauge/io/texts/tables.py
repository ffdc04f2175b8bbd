"""Read tsv and csv: a header row, then one row per record; the columns are the fields of `records`.

TSV is read literally: tabs separate, line feeds end, and quotes are text. CSV is quoted as in
RFC 4180, with semicolons for commas where the header row has them and no comma. The columns
references, hypotheses, table, annotation, human and reference_weights hold JSON. A table has no
null: where there are several reference columns, an empty cell is a missing reference.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.column_names import ColumnNames
from nlgauge.io.fields import KNOWN, FieldMeaning, RecordPlace
from nlgauge.io.files import check_lines, read_utf8, refuse_long_lines, shown
from nlgauge.io.json_text import parse_json
from nlgauge.io.request import Request
from nlgauge.io.texts.records import build_suite
from nlgauge.io.texts.unknown_fields import likely_columns

_JSON = ("hypotheses", "table", "annotation", "weights", "human")


def read(request: Request) -> Suite:
    """Read data files (`paths`) as one, and further hypotheses (`systems`) as text."""
    return build_suite(request, rows(request))


def rows(request: Request) -> Iterator[tuple[RecordPlace, dict[str, Any]]]:
    """Yield all records of all files."""
    split = split_csv if request.format == "csv" else split_tsv
    for path in request.data_files():
        # In csv a CR may be part of a quoted cell, and CRLF is the regular line end.
        if request.format == "tsv":
            refuse_long_lines(path)
        data = read_utf8(path, request.encoding, keep_line_ends=request.format == "csv")
        yield from records(shown(path), split(shown(path), data), request.columns)


def records(
    file: str,
    lines: Iterable[tuple[int, Sequence[str]]],
    columns: ColumnNames = ColumnNames(),  # noqa: B008
) -> Iterator[tuple[RecordPlace, dict[str, Any]]]:
    """Yield rows of cells under a header row as records."""
    rows = iter(lines)
    header = list(next(rows)[1])
    roles = [columns.meaning(name) for name in header]
    _check_header(file, header, roles)
    several = sum(role is not None and role.kind == "reference" for role in roles) > 1
    for number, cells in rows:
        place = RecordPlace(file, "line", number)
        if len(cells) != len(header):
            raise DataError(
                f"{place}: {len(cells)} fields, the header row has {len(header)}; "
                "check for stray separators, quotes and line breaks in the texts"
            )
        yield (
            place,
            {
                name: _value(place, name, role, cell, several)
                for name, role, cell in zip(header, roles, cells, strict=True)
            },
        )


def _value(
    place: RecordPlace, name: str, role: FieldMeaning | None, cell: str, several: bool
) -> Any:
    kind = "" if role is None else role.kind
    if kind == "references":
        is_list = cell.lstrip().startswith("[")
        return parse_json(cell, f"{place}, column {name!r}") if is_list else [cell]
    if kind in _JSON:
        return parse_json(cell, f"{place}, column {name!r} (which holds JSON)")
    return None if several and kind == "reference" and not cell else cell


def _check_header(file: str, header: Sequence[str], roles: Sequence[FieldMeaning | None]) -> None:
    if not any(roles) and len(header) == 1:
        for sign, name, remedy in (
            ("\t", "tabs", "call it .tsv, or say --format tsv"),
            (",", "commas", "call it .csv, or say --format csv"),
            (";", "semicolons", "call it .csv, or say --format csv"),
        ):
            if sign in header[0]:
                raise DataError(f"{file}, line 1: {name} stand between the columns; {remedy}")
    if not any(roles):
        shown_cells = ", ".join(f"{name!r:.40}" for name in header[:4])
        likely = likely_columns(header, hypothesis=True, reference=True)
        raise DataError(
            f"{file}, line 1: no header row ({shown_cells}); the first line must name the "
            f"columns, some of: {KNOWN}; or say which is which: "
            f"--columns {likely or 'hypothesis=NAME,reference=NAME'} (in Python columns={{...}})"
        )
    for name in header:
        if header.count(name) > 1:
            raise DataError(f"{file}, line 1: column {name!r} is there twice; rename one")


def split_tsv(file: str, data: bytes) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the cells of each line, with its number."""
    check_lines(file, data)
    for number, line in enumerate(io.BytesIO(data), start=1):
        yield number, line.removesuffix(b"\n").decode("utf-8").split("\t")


def _separator(data: bytes) -> str:
    """Return what stands between cells. In some countries Excel writes semicolons, as commas stand
    in numbers there.
    """
    header = re.sub(rb'"[^"]*"', b"", data.partition(b"\n")[0])
    return ";" if b";" in header and b"," not in header else ","


def split_csv(file: str, data: bytes) -> list[tuple[int, Sequence[str]]]:
    """Yield the cells of each record, with the number of its first line."""
    text = io.TextIOWrapper(io.BytesIO(data), "utf-8", newline="")
    reader = csv.reader(text, delimiter=_separator(data), strict=True)
    rows: list[tuple[int, Sequence[str]]] = []
    start = 1  # a record with line breaks in quotes is known by its first line
    limit = csv.field_size_limit(2**31 - 1)  # the default is 128 KiB, less than a book chapter
    try:
        for cells in reader:
            rows.append((start, cells or [""]))
            start = reader.line_num + 1
    except csv.Error as error:
        raise DataError(
            f"{file}, line {start}: not valid CSV ({error}); double the quotes within quoted "
            "cells, and close every quote"
        ) from None
    finally:
        csv.field_size_limit(limit)
    return rows
