"""Write scores of segments as Parquet or JSON lines: those of a run, or of one shard of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.data.corpus import Suite
from nlgauge.io.streams.line_file import pyarrow
from nlgauge.io.write import atomic_binary, write_jsonl
from nlgauge.kernels import Floats, Texts

FORMATS = ("parquet", "jsonl")
Ids = Sequence[str] | Texts | None


@dataclass
class UnwrittenScores:
    """Scores of segments that are still to be written: for each system a column for each metric."""

    metrics: Sequence[str]
    first: int = 0  # the number of the first segment, from 0, where segments have no ids
    columns: dict[str, list[list[Floats]]] = field(default_factory=dict)  # system -> batches
    ids: list[Ids] = field(default_factory=list)

    def add(self, suite: Suite, scores: Mapping[str, list[Floats]]) -> None:
        """Add the scores of a batch."""
        self.ids.append(next(iter(suite)).ids)
        for system, columns in scores.items():
            self.columns.setdefault(system, []).append(columns)

    def write(self, path: str, format: str) -> None:
        """Write a file that is there whole or not at all."""
        if format == "jsonl":
            write_jsonl(path, self._records())
        else:
            with atomic_binary(path) as stream:
                options = {"use_dictionary": ["system"], "compression": "zstd"}
                pyarrow("pyarrow.parquet").write_table(self._table(), stream, **options)

    def _joined(self, system: str) -> list[Floats]:
        batches = self.columns[system]
        return [np.concatenate(columns) for columns in zip(*batches, strict=True)]

    def _table(self) -> Any:
        arrow = pyarrow()
        ids = _id_array(self.ids, self.first, len(self._joined(next(iter(self.columns)))[0]))
        places = _array(np.zeros(len(ids), np.int32))
        tables = []
        for system in self.columns:
            names = arrow.DictionaryArray.from_arrays(places, _strings([system]))
            columns = [names.cast(arrow.string()), ids, *map(_array, self._joined(system))]
            tables.append(arrow.table(columns, names=["system", "id", *self.metrics]))
        return arrow.concat_tables(tables)

    def _records(self) -> Iterator[dict[str, Any]]:
        for system in self.columns:
            columns = [column.tolist() for column in self._joined(system)]
            ids = _names(self.ids, self.first, len(columns[0]))
            for name, *values in zip(ids, *columns, strict=True):
                scores = zip(self.metrics, values, strict=True)
                yield {"system": system, "id": name, "scores": {m: {"score": v} for m, v in scores}}


def _names(batches: Sequence[Ids], first: int, size: int) -> Iterator[str]:
    if batches[0] is None:
        yield from map(str, range(first + 1, first + size + 1))
    for ids in batches:
        yield from ids or ()


def _id_array(batches: Sequence[Ids], first: int, size: int) -> Any:
    """Return ids as Arrow's strings; without ids, the numbers of the segments from 1."""
    if not batches or batches[0] is None:
        return _array(np.arange(first + 1, first + size + 1))
    return pyarrow().concat_arrays([_strings(ids or ()) for ids in batches])


def _strings(texts: Sequence[str] | Texts) -> Any:
    data, offsets = (texts if isinstance(texts, Texts) else Texts(texts)).__getstate__()
    arrow = pyarrow()
    buffers = [None, arrow.py_buffer(offsets.astype(np.int64)), arrow.py_buffer(data)]
    return arrow.Array.from_buffers(arrow.large_string(), len(texts), buffers)


def _array(numbers: npt.NDArray[Any]) -> Any:
    """Return numbers for Arrow, whose own conversion would import pandas, and hide Ctrl-C that is
    pressed meanwhile.
    """
    arrow = pyarrow()
    kind = arrow.from_numpy_dtype(numbers.dtype)
    return arrow.Array.from_buffers(kind, len(numbers), [None, arrow.py_buffer(numbers)])
