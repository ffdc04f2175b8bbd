"""Read the first sheet of an Excel file: a header row, then one row per record."""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError, ResourceMissing
from nlgauge.io.fields import RecordPlace
from nlgauge.io.files import read_bytes, shown
from nlgauge.io.request import Request
from nlgauge.io.texts.records import build_suite
from nlgauge.io.texts.tables import records


def read(request: Request) -> Suite:
    """Read data files (`paths`) as one, and further hypotheses (`systems`) as text."""
    return build_suite(request, rows(request))


def rows(request: Request) -> Iterator[tuple[RecordPlace, dict[str, Any]]]:
    """Yield all records of all files; cells are read as the cells of CSV are."""
    try:
        excel = import_module("openpyxl")
    except ImportError:
        raise ResourceMissing(
            "xlsx: openpyxl is not installed", remedy="pip install openpyxl"
        ) from None
    for path in request.data_files():
        data = read_bytes(path)
        try:
            book = excel.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
            lines = [
                (number, ["" if cell is None else str(cell) for cell in row])
                for number, row in enumerate(book.worksheets[0].iter_rows(values_only=True), 1)
                if any(cell is not None for cell in row)
            ]
        except Exception as error:  # whatever that library meets in a damaged file
            raise DataError(f"{shown(path)}: cannot be read as an Excel file ({error})") from None
        if not lines:
            raise DataError(f"{shown(path)}: the first sheet is empty")
        yield from records(shown(path), lines, request.columns)
