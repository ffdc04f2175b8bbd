"""Read documents alone: lines, whole files, or the field `source` of records."""

from __future__ import annotations

from collections.abc import Sequence

from nlgauge.errors import DataError, SpecError
from nlgauge.io.fields import parse
from nlgauge.io.files import read_lines, read_utf8
from nlgauge.io.request import Request
from nlgauge.io.texts.suites import RECORD_FORMATS, PathLike, guess_format, names_of, read_rows


def read_documents(
    paths: PathLike | Sequence[PathLike],
    *,
    format: str | None = None,
    encoding: str = "utf-8",
    whole_files: bool = False,
) -> list[str]:
    """Read one text per line, per file, or per record; records of the same id share their source
    and count once, in the order in which `read_suite` has them.
    """
    names = names_of(paths)
    if whole_files:
        return [read_utf8(name, encoding).decode("utf-8") for name in names]
    format = format or guess_format(names)
    if format == "plain":
        return [text for name in names for text in read_lines(name, encoding)]
    if format not in RECORD_FORMATS:
        raise SpecError(
            f"format={format!r}: documents are read from plain text and from "
            f"{', '.join(RECORD_FORMATS)}"
        )
    request = Request(format, names, encoding=encoding)
    request.check()
    found: dict[str | int, str] = {}
    for number, (place, fields) in enumerate(read_rows(request)):
        record = parse(place, fields, {})
        if record.source is None:
            raise DataError(f"{place}: no field `source`; every record needs its document")
        found.setdefault(number if record.id is None else record.id, record.source)
    return list(found.values())
