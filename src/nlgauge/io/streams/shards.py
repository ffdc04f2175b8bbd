"""Cut files into shards: the unit that is scored, written, counted as done, and done again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError, SpecError
from nlgauge.io.column_names import ColumnNames
from nlgauge.io.request import STDIN, Request
from nlgauge.io.streams.line_shards import plain_shards, record_shards
from nlgauge.io.streams.names import label_of
from nlgauge.io.streams.parquet_shards import row_groups, schema_of
from nlgauge.io.texts.suites import guess_format

FORMATS = ("parquet", "jsonl", "tsv", "plain")
ROWS = 32_768  # of a shard of lines


class Shard(Protocol):
    """A shard is a part of the input that can be sent to any process."""

    @property
    def name(self) -> str:
        """Return how messages call it."""

    @property
    def rows(self) -> int:
        """Return how many segments it has."""

    @property
    def first(self) -> int:
        """Return the number of its first segment in the stream, from 0."""

    def digest(self) -> str:
        """Return the SHA-256 of its data."""

    def suites(self) -> Iterator[Suite]:
        """Yield its segments, in one or several suites."""


def stream_request(
    paths: Sequence[str],
    systems: Sequence[str] | None = None,
    *,
    format: str | None = None,
    sources: str | None = None,
    num_refs: int = 1,
    id_fields: Sequence[str] = (),
    columns: ColumnNames = ColumnNames(),  # noqa: B008
) -> Request:
    """Check what is to be read as a stream, as `read_suite` does what is read at once."""
    formats = {path: format or _format(path, num_refs) for path in paths}
    for path, found in formats.items():
        if found not in FORMATS:
            raise SpecError(
                f"{path}: {found} cannot be read as a stream; there are {', '.join(FORMATS)}"
            )
    kinds = set(formats.values())
    if "plain" in kinds and len(kinds) > 1:
        raise DataError("plain text and records cannot be parts of one stream; give one kind")
    if "plain" not in kinds and (systems or sources):
        raise SpecError("systems and sources in files of their own: only beside plain references")
    if num_refs < 1 or (num_refs > 1 and kinds != {"plain"}):
        raise SpecError(f"num_refs={num_refs}: at least 1, and more only for plain reference files")
    if "plain" in kinds and (id_fields or columns.given):
        raise SpecError(f"{'id_fields' if id_fields else 'columns'}: only for records, not plain")
    hyps = tuple(systems or ((STDIN,) if kinds == {"plain"} else ())) or None
    kind = "plain" if kinds == {"plain"} else format or ""
    request = Request(
        kind,
        tuple(paths),
        hyps,
        sources,
        num_refs=num_refs,
        id_fields=tuple(id_fields),
        columns=columns,
    )
    request.check()
    _check_schemas([path for path, found in formats.items() if found == "parquet"], request)
    return request


def shards_of(request: Request, *, rows: int = ROWS) -> Iterator[Shard]:
    """Yield the shards of all files, in order."""
    if request.format == "plain":
        yield from plain_shards(request, rows)
        return
    label, first = label_of(request.paths), 0
    for path in request.paths:
        own = request._replace(format=request.format or _format(path, 1), paths=(path,))
        found: Iterator[Shard] = (
            row_groups(own, label, first)
            if own.format == "parquet"
            else record_shards(own, label, rows, first)
        )
        for shard in found:
            yield shard
            first = shard.first + shard.rows
    if first == 0:
        raise DataError(f"{', '.join(request.paths)}: there are no records")


def rereadable(request: Request) -> bool:
    """Return whether the files can be read twice."""
    return STDIN not in (*request.paths, *(request.systems or ()), request.sources)


def _format(path: str, num_refs: int) -> str:
    return "plain" if num_refs > 1 else guess_format([path.removesuffix(".zst")])


def _check_schemas(paths: Sequence[str], request: Request) -> None:
    """Refuse Parquet files of other columns than the first, before any work."""
    schemas = {path: schema_of(path, request) for path in paths}
    for path, schema in schemas.items():
        expected = schemas[paths[0]]
        for name in {**expected, **schema}:
            if schema.get(name) != expected.get(name):
                raise DataError(
                    f"{path}, row group 0: column {name!r} is {schema.get(name, 'not there')}, and "
                    f"{expected.get(name, 'not there')} in {paths[0]}; all files need the same"
                )
