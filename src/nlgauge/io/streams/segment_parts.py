"""Read the files of segment scores that a run in shards wrote, a part of them at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nlgauge.errors import DataError
from nlgauge.io.streams.line_file import pyarrow
from nlgauge.kernels import Floats


@dataclass(frozen=True, eq=False)
class SegmentBlock:
    """Scores of the same segments by several systems stand in a block."""

    ids: Sequence[str]
    scores: Mapping[str, Floats]  # system -> [segments, metrics]


@dataclass(frozen=True)
class SegmentPart:
    """A file has the scores of consecutive segments, one system after the other."""

    path: str
    first: int  # the number of the first segment in the run, from 0
    rows: int  # segments

    def read(self, metrics: Sequence[str]) -> SegmentBlock:
        """Return all scores by these metrics."""
        systems, ids, columns = (
            self._jsonl(metrics) if self.path.endswith(".jsonl") else self._parquet(metrics)
        )
        scores = np.stack([np.asarray(column, np.float64) for column in columns], axis=1)
        starts = range(0, len(scores), self.rows)
        names = [systems[start] for start in starts]
        whole = len(scores) == len(starts) * self.rows and len(set(names)) == len(names)
        if not whole or any(set(systems[s : s + self.rows]) != {systems[s]} for s in starts):
            raise DataError(
                f"{self.path}: has not {self.rows} segments of each system, one system after the "
                "other, as it was written; score this part again"
            )
        if not np.isfinite(scores).all():
            row, column = np.argwhere(~np.isfinite(scores))[0]
            raise DataError(
                f"{self.path}: {metrics[column]} of system {systems[row]!r}, segment {ids[row]!r} "
                f"is {scores[row, column]}, which cannot be compared; leave the metric out"
            )
        blocks = (scores[start : start + self.rows] for start in starts)
        return SegmentBlock(ids[: self.rows], dict(zip(names, blocks, strict=True)))

    def _parquet(
        self, metrics: Sequence[str]
    ) -> tuple[Sequence[str], Sequence[str], Iterable[object]]:
        arrow = pyarrow()
        try:
            file = pyarrow("pyarrow.parquet")
            table = file.read_table(self.path, columns=["system", "id", *metrics])
            columns = [table[name].to_numpy() for name in metrics]
            return (
                table["system"].to_pylist(),
                table["id"].cast(arrow.string()).to_pylist(),
                columns,
            )
        except (arrow.ArrowException, OSError, KeyError, ValueError) as error:
            raise self._unreadable(error) from None

    def _jsonl(
        self, metrics: Sequence[str]
    ) -> tuple[Sequence[str], Sequence[str], Iterable[object]]:
        systems, ids, values = [], [], []
        try:
            with Path(self.path).open("rb") as lines:
                for line in lines:
                    record = json.loads(line)
                    systems.append(record["system"])
                    ids.append(record["id"])
                    values.append([record["scores"][name]["score"] for name in metrics])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise self._unreadable(error) from None
        return systems, ids, zip(*values, strict=True)

    def _unreadable(self, error: Exception) -> DataError:
        with suppress(AttributeError):
            error = error.strerror or error  # type: ignore[attr-defined]
        return DataError(
            f"{self.path}: cannot be read as scores of segments ({error}); delete its .json and "
            "score this part again with --resume"
        )
