"""The folder of a run: scores of segments and a manifest for each shard, and one for the run.

    manifest.json         what was asked for: files, metrics, seed
    part-00000.parquet    scores of the first shard's segments
    part-00000.json       its input's hash, rows, signatures and exact sums; written last
    scores.json           the exact sums of all shards, once all of them are done

A shard is done if its manifest is there, so that a run can be killed at any time and go on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlgauge.errors import DataError, SpecError
from nlgauge.io.streams.segment_files import FORMATS, UnwrittenScores
from nlgauge.io.streams.shards import Shard
from nlgauge.io.write import atomic_write, remove_unfinished
from nlgauge.run.streams.scores import StreamScores

MANIFEST = "manifest.json"
SCORES = "scores.json"


@dataclass(frozen=True)
class RunFolder:
    """A folder that shards are written to, by whichever process scores them."""

    path: str
    format: str = "parquet"

    def begin(self, asked: Mapping[str, Any], *, resume: bool) -> None:
        """Make the folder, or go on in one that was begun with the same question."""
        if self.format not in FORMATS:
            raise SpecError(f"segment format {self.format!r}: there are {', '.join(FORMATS)}")
        manifest = Path(self.path) / MANIFEST
        if manifest.exists():
            if not resume:
                raise DataError(
                    f"{self.path}: a run was begun here; continue it with --resume "
                    "(resume=True), or name another folder"
                )
            begun = read_manifest(manifest)
            for name, value in asked.items():
                if begun.get(name) != value:
                    raise DataError(
                        f"{self.path}: was begun with {name}={begun.get(name)}, not {value}; name "
                        "another folder"
                    )
            return
        Path(self.path).mkdir(parents=True, exist_ok=True)
        _write(manifest, asked)

    def done(self, number: int, shard: Shard) -> dict[str, Any] | None:
        """Return the scores of a shard that is done already; None if it is not."""
        path = self._manifest(number)
        if not path.exists():
            return None
        found = read_manifest(path)
        if found.get("sha256") != shard.digest():
            raise DataError(
                f"{shard.name}: was changed since {path} was written; name another folder"
            )
        scores: dict[str, Any] = found["scores"]
        return scores

    def write(
        self, number: int, shard: Shard, segments: UnwrittenScores, scores: Mapping[str, Any]
    ) -> None:
        """Write the scores of a shard's segments, then that it is done."""
        name = f"part-{number:05}.{self.format}"
        segments.write(str(Path(self.path) / name), self.format)
        record = {
            "input": shard.name,
            "sha256": shard.digest(),
            "first": shard.first,
            "rows": shard.rows,
            "segments": name,
            "scores": scores,
        }
        _write(self._manifest(number), record)

    def end(self, scores: StreamScores) -> None:
        """Write the scores of all shards, and remove what processes that died had begun."""
        scores.save(Path(self.path) / SCORES)
        remove_unfinished(self.path)

    def _manifest(self, number: int) -> Path:
        return Path(self.path) / f"part-{number:05}.json"


def read_manifest(path: Path) -> dict[str, Any]:
    """Read a manifest of a run or of one of its shards."""
    try:
        found: dict[str, Any] = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise DataError(
            f"{path}: cannot be read ({error}); delete it to do its part again"
        ) from None
    return found


def _write(path: Path, record: Mapping[str, Any]) -> None:
    with atomic_write(path) as file:
        file.write(json.dumps(record, allow_nan=False) + "\n")
