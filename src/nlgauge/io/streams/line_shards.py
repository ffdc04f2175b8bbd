"""Cut files of lines into shards: JSON lines, TSV with a header, plain text in several files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.fields import RecordPlace
from nlgauge.io.files import count_lines, empty, read_start, shown
from nlgauge.io.request import STDIN, Request
from nlgauge.io.streams.line_file import LineFile
from nlgauge.io.streams.names import labelled_suite
from nlgauge.io.texts import jsonl, plain, tables
from nlgauge.io.texts.systems import refuse_records, system_names
from nlgauge.kernels import Texts


@dataclass(frozen=True, kw_only=True)
class LineShard:
    """A shard of lines carries its data: only the reader of a file knows where a line begins."""

    request: Request  # of the one data file, or of all plain files
    label: str  # of the system that has no name of its own
    data: tuple[bytes, ...]  # plain: of references, source and systems
    header: bytes = b""
    line: int  # the number of the first line in its file
    first: int  # the number of the first row in the stream, from 0

    @property
    def rows(self) -> int:
        """Return how many segments the shard has."""
        return count_lines(self.data[0])

    @property
    def name(self) -> str:
        """Return how messages call the shard."""
        files = ", ".join(map(shown, self.request.paths))
        return f"{files}, lines {self.line} to {self.line + self.rows - 1}"

    def digest(self) -> str:
        """Return the SHA-256 of the shard's data."""
        found = hashlib.sha256()
        for data in (self.header, *self.data):
            found.update(len(data).to_bytes(8, "little"))
            found.update(data)
        return found.hexdigest()

    def suites(self) -> Iterator[Suite]:
        """Yield the shard's segments, all at once."""
        if self.request.format == "plain":
            yield self._plain()
        else:
            yield labelled_suite(self.request, self._records(), self.label)

    def _records(self) -> Iterator[tuple[RecordPlace, Mapping[str, Any]]]:
        file = shown(self.request.paths[0])
        if self.request.format == "jsonl":
            return jsonl.records(file, self.data[0], self.line)
        cells = tables.split_tsv(file, self.header + self.data[0])
        return tables.records(file, ((n if n == 1 else n + self.line - 2, c) for n, c in cells))

    def _plain(self) -> Suite:
        request = self.request
        systems = system_names(request.systems or ())
        count = len(request.paths)
        refs, rest = list(self.data[:count]), list(map(Texts.from_lines, self.data[count:]))
        sources = None if request.sources is None else rest.pop(0)
        references = plain.references_of(request.paths, refs, request.num_refs)
        return Suite.build(dict(zip(systems, rest, strict=True)), references, sources=sources)


def record_shards(request: Request, label: str, rows: int, first: int) -> Iterator[LineShard]:
    """Yield the shards of a file of records, each of at most so many rows."""
    file = LineFile(request.paths[0])
    header = file.take(1) if request.format == "tsv" else b""
    line = file.line
    while data := file.take(rows):
        shard = LineShard(
            request=request, label=label, data=(data,), header=header, line=line, first=first
        )
        yield shard
        first, line = first + shard.rows, file.line
    if line == 1 or (header and line == 2):
        raise empty(file.path)


def plain_shards(request: Request, rows: int) -> Iterator[LineShard]:
    """Yield the shards of references, sources and outputs in files of their own."""
    systems = system_names(request.systems or ()).values()
    for path in systems:
        refuse_records(path, b"" if path == STDIN else read_start(path))
    sources = () if request.sources is None else (request.sources,)
    files = [LineFile(path) for path in (*request.paths, *sources, *systems)]
    request = request._replace(systems=tuple(systems))
    first = 0
    while True:
        lead = files[0].take(rows)
        count = count_lines(lead) if lead else 0
        others = [file.take(count or 1, most=None) for file in files[1:]]
        sizes = [count_lines(data) if data else 0 for data in others]
        for file, size in zip(files[1:], sizes, strict=True):
            if size != count:
                raise DataError(
                    f"{shown(file.path)} has {'more' if size > count else 'fewer'} lines than "
                    f"{shown(files[0].path)}, which has {'' if size > count else 'at least '}"
                    f"{first + count}; all need one line per segment, in the same order"
                )
        if not lead:
            break
        yield LineShard(
            request=request, label="", data=(lead, *others), line=first + 1, first=first
        )
        first += count
    if first == 0:
        raise empty(files[0].path)
