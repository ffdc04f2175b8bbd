"""Cut Parquet files into shards, one for each row group, and take texts from Arrow's buffers as
they are: a str is made of them only where a column has nulls, or holds more than texts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from nlgauge.data.corpus import Corpus, References, Suite
from nlgauge.data.paths import is_file
from nlgauge.errors import DataError
from nlgauge.io.fields import FieldMeaning, RecordPlace, role_of
from nlgauge.io.request import Request
from nlgauge.io.streams.line_file import pyarrow
from nlgauge.io.streams.names import field_name, labelled_suite
from nlgauge.kernels import Texts

BATCH = 8192  # rows that are scored at once
_BLOCK = 1 << 22
# Kinds of columns whose texts can be taken as they are.
_TEXTS = ("id", "source", "hypothesis", "reference", "references")


@dataclass(frozen=True, kw_only=True)
class RowGroup:
    """A row group of a Parquet file is a shard, which whoever scores it reads from the file."""

    request: Request  # of the one file
    label: str  # of the system that has no name of its own
    number: int
    rows: int
    row: int  # the number of the first row in its file, from 0
    first: int  # the same in the stream

    @property
    def name(self) -> str:
        """Return how messages call the shard."""
        return f"{self._path}, row group {self.number}"

    @property
    def _path(self) -> str:
        return self.request.paths[0]

    def digest(self) -> str:
        """Return the SHA-256 of the row group's bytes in the file."""
        with _told(self._path):
            group = pyarrow("pyarrow.parquet").read_metadata(self._path).row_group(self.number)
            spans = [_span(group.column(i)) for i in range(group.num_columns)]
            start, end = min(a for a, _ in spans), max(b for _, b in spans)
            found = hashlib.sha256()
            with Path(self._path).open("rb") as file:
                file.seek(start)
                while start < end and (block := file.read(min(_BLOCK, end - start))):
                    found.update(block)
                    start += len(block)
        return found.hexdigest()

    def suites(self) -> Iterator[Suite]:
        """Yield the shard's segments, some thousands at a time."""
        row = self.row
        with _told(self.name):
            file = pyarrow("pyarrow.parquet").ParquetFile(self._path)
            names = [name for name in file.schema_arrow.names if _wanted(name, self.request)]
            batches = file.iter_batches(
                batch_size=BATCH, row_groups=[self.number], columns=names, use_threads=False
            )
            for batch in batches:
                yield self._suite(batch, row)
                row += len(batch)

    def _suite(self, batch: Any, row: int) -> Suite:
        if self.request.columns.given or self.request.id_fields:
            return self._of_records(batch, row)
        columns = {field_name(name, self.label): batch.column(name) for name in batch.schema.names}
        roles = {name: role_of(name) for name in columns}
        references = [n for n, role in roles.items() if role and role.kind.startswith("reference")]
        # What is no text is refused, with its row, where records are read one by one.
        plain = all(
            _kind(role) in _TEXTS and (_kind(role) == "id" or _holds_texts(columns[name].type))
            for name, role in roles.items()
        )
        if not plain or len(references) > 1 or not all(map(_is_whole, columns.values())):
            return self._of_records(batch, row)
        texts = {
            name: self._texts(name, column, row)
            for name, column in columns.items()
            if name not in references
        }
        return _packed(texts, roles, [self._references(n, columns[n], row) for n in references])

    def _of_records(self, batch: Any, row: int) -> Suite:
        return labelled_suite(self.request, _records(self._path, batch, row), self.label)

    def _texts(self, name: str, column: Any, row: int) -> Texts:
        try:
            return texts_of(column)
        except ValueError as error:
            raise DataError(
                f"{self.name}: column {name!r}, after row {row}: {error}; check what wrote it"
            ) from None

    def _references(self, name: str, column: Any, row: int) -> References:
        if not _is_list(column):
            return References.single(self._texts(name, column, row))
        starts = column.offsets.to_numpy().astype(np.int64)
        flat = column.values.slice(starts[0], starts[-1] - starts[0])
        return References(self._texts(name, flat, row), starts - starts[0])


def row_groups(request: Request, label: str, first: int) -> Iterator[RowGroup]:
    """Yield the shards of a Parquet file."""
    path = request.paths[0]
    if not is_file(path):
        raise DataError(f"{path}: no such file; check the path")
    with _told(path):
        metadata = pyarrow("pyarrow.parquet").read_metadata(path)
        row = 0
        for number in range(metadata.num_row_groups):
            rows = metadata.row_group(number).num_rows
            if rows:
                yield RowGroup(
                    request=request, label=label, number=number, rows=rows, row=row, first=first
                )
            row, first = row + rows, first + rows


def schema_of(path: str, request: Request) -> dict[str, str]:
    """Return the columns of a Parquet file that can be scored, and their types."""
    with _told(path):
        schema = pyarrow("pyarrow.parquet").read_schema(path)
        return {field.name: str(field.type) for field in schema if _wanted(field.name, request)}


def texts_of(column: Any) -> Texts:
    """Return an Arrow array of strings without nulls as texts; raise ValueError if one of them is
    not valid UTF-8.
    """
    arrow = pyarrow()
    if not (arrow.types.is_string(column.type) or arrow.types.is_large_string(column.type)):
        column = column.cast(arrow.large_string())
    width = np.int64 if arrow.types.is_large_string(column.type) else np.int32
    _, offsets, data = column.buffers()
    found = np.zeros(1, width) if offsets is None else np.frombuffer(offsets, width)
    kept = found[column.offset : column.offset + len(column) + 1]
    block = np.zeros(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    return Texts.from_buffers(block, kept.astype(np.uint64))


def _packed(
    texts: Mapping[str, Texts],
    roles: Mapping[str, FieldMeaning | None],
    references: list[References],
) -> Suite:
    """Make a suite of columns, which need no check: they are of one length."""
    kinds = {_kind(roles[name]): column for name, column in texts.items()}
    systems = {r.system: texts[n] for n, r in roles.items() if r and r.kind == "hypothesis"}
    if not systems:
        raise DataError("there is no column of hypotheses; name one `hypothesis` or `hyp:NAME`")
    size = len(next(iter(systems.values())))
    none = References(Texts([]), np.zeros(size + 1, np.int64))
    first = Corpus(
        hypotheses=next(iter(systems.values())),
        references=references[0] if references else none,
        ids=cast("Sequence[str] | None", kinds.get("id")),
        sources=kinds.get("source"),
    )
    return Suite({name: first.with_hypotheses(name, hyps) for name, hyps in systems.items()})


def _records(path: str, batch: Any, row: int) -> Iterator[tuple[RecordPlace, dict[str, Any]]]:
    maps = [f.name for f in batch.schema if pyarrow().types.is_map(f.type)]
    for number, fields in enumerate(batch.to_pylist(), start=row + 1):
        for name in maps:
            fields[name] = None if fields[name] is None else dict(fields[name])
        yield RecordPlace(path, "row", number), fields


def _wanted(name: str, request: Request) -> bool:
    role = request.columns.meaning(name)
    return name in request.id_fields or (role is not None and role.kind != "human")


def _kind(role: FieldMeaning | None) -> str:
    return "" if role is None else role.kind


def _is_list(column: Any) -> bool:
    types = pyarrow().types
    return bool(types.is_list(column.type) or types.is_large_list(column.type))


def _holds_texts(kind: Any) -> bool:
    types = pyarrow().types
    while types.is_list(kind) or types.is_large_list(kind) or types.is_dictionary(kind):
        kind = kind.value_type
    return bool(types.is_string(kind) or types.is_large_string(kind))


def _is_whole(column: Any) -> bool:
    """Return whether no text is missing."""
    return column.null_count == 0 and (not _is_list(column) or column.values.null_count == 0)


def _span(column: Any) -> tuple[int, int]:
    """Return where the bytes of a column chunk begin and end in the file."""
    start = column.data_page_offset
    if column.has_dictionary_page and column.dictionary_page_offset is not None:
        start = min(start, column.dictionary_page_offset)
    return start, start + column.total_compressed_size


@contextmanager
def _told(where: str) -> Iterator[None]:
    """Turn what Arrow refuses into our error."""
    arrow = pyarrow()
    try:
        yield
    except DataError as error:
        raise DataError(str(error) if where in str(error) else f"{where}: {error}") from None
    except (arrow.ArrowException, OSError, ValueError, OverflowError) as error:
        raise DataError(
            f"{where}: cannot be read as Parquet ({error}); check what wrote it"
        ) from None
