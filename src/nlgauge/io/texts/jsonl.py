"""Read JSON Lines, or one JSON array: each object has the fields of `records`, with

`references: [..]`, `hypotheses: {system: text}`, `table` and `annotation` (any JSON),
`reference_weights: [..]`; `context`, or `turns`, is a text with a turn on each line or a list of
turns, which are texts or objects `{"speaker": .., "text": ..}`; `facts`, `persona` and `documents`
are a text or a list of texts, `features` a list of numbers. null is the same as leaving the field
out.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.fields import RecordPlace
from nlgauge.io.files import read_line_bytes, read_utf8, shown
from nlgauge.io.json_text import parse_json
from nlgauge.io.request import Request
from nlgauge.io.texts.datasets.published import as_record
from nlgauge.io.texts.records import build_suite


def read(request: Request) -> Suite:
    """Read data files (`paths`) as one, and further hypotheses (`systems`) as text."""
    return build_suite(request, rows(request))


def rows(request: Request) -> Iterator[tuple[RecordPlace, dict[str, Any]]]:
    """Yield all records of all files."""
    for path in request.data_files():
        if request.format == "json":
            yield from _entries(path, request.encoding)
            continue
        yield from records(shown(path), read_line_bytes(path, request.encoding))


def records(file: str, data: bytes, first: int = 1) -> Iterator[tuple[RecordPlace, dict[str, Any]]]:
    """Yield the records of lines, the first of which has that number in its file."""
    for number, line in enumerate(io.BytesIO(data), start=first):
        place = RecordPlace(file, "line", number)
        if not line.strip():
            raise DataError(f"{place}: blank; every line needs an object, so delete the line")
        value = parse_json(line.removesuffix(b"\n"), str(place))
        if not isinstance(value, dict):
            raise DataError(
                f"{place}: {type(value).__name__}, expected an object such as "
                '{"reference": "...", "hypothesis": "..."}'
            )
        yield place, as_record(value)


def _entries(path: str, encoding: str) -> Iterator[tuple[RecordPlace, dict[str, Any]]]:
    """Yield the objects of one array."""
    values = parse_json(read_utf8(path, encoding), shown(path), lines=True)
    if not isinstance(values, list):
        raise DataError(f"{shown(path)}: expected an array of objects: [{{...}}, ...]")
    for number, value in enumerate(values, 1):
        place = RecordPlace(shown(path), "entry", number)
        if not isinstance(value, dict):
            raise DataError(f"{place}: {type(value).__name__}, expected an object")
        yield place, as_record(value)
