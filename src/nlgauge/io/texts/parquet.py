"""Read Parquet: columns named as the fields of `records`; lists, structs and maps as in jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError, ResourceMissing, fetch
from nlgauge.io.fields import RecordPlace
from nlgauge.io.files import packed_too_much, read_bytes, shown, unpacked_limit
from nlgauge.io.request import Request
from nlgauge.io.texts.records import build_suite

_BATCH = 1024  # rows that are in memory at once


def read(request: Request) -> Suite:
    """Read data files (`paths`) as one, and further hypotheses (`systems`) as text."""
    return build_suite(request, rows(request))


def rows(request: Request) -> Iterator[tuple[RecordPlace, dict[str, Any]]]:
    """Yield all records of all files."""
    try:
        arrow = import_module("pyarrow")
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        raise ResourceMissing(
            "parquet: pyarrow is not installed", remedy=fetch("parquet")
        ) from None
    for path in request.data_files():
        number = 0
        try:
            data = read_bytes(path)
            file = parquet.ParquetFile(arrow.BufferReader(data))
            limit, size = unpacked_limit(len(data)), 0
            # Arrow gives a map as a list of pairs.
            maps = [f.name for f in file.schema_arrow if arrow.types.is_map(f.type)]
            for batch in file.iter_batches(batch_size=_BATCH):
                size += batch.nbytes
                if size > limit:
                    raise packed_too_much(shown(path), limit, "write it as .jsonl")
                for fields in batch.to_pylist():
                    number += 1
                    for name in maps:
                        fields[name] = None if fields[name] is None else dict(fields[name])
                    yield RecordPlace(shown(path), "row", number), fields
        # Arrow also raises what it finds when it converts values: dates out of range, bad UTF-8.
        except (arrow.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
            raise DataError(
                f"{shown(path)}: cannot be read as Parquet ({error}); check what wrote it"
            ) from None
