"""Runs whose shards are all done: what is asked about their scores needs no texts any more.

Several runs over the same segments are read side by side, in spans of segments, whatever the
shards of each of them were.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nlgauge.core.metric import Metric
from nlgauge.errors import DataError
from nlgauge.io.streams.segment_parts import SegmentBlock, SegmentPart
from nlgauge.kernels import Floats
from nlgauge.run.streams.folder import MANIFEST, SCORES, read_manifest
from nlgauge.run.streams.scores import StreamScores


@dataclass(frozen=True, eq=False)
class FinishedRun:
    """A finished run has exact sums of all, and the scores of segments in parts."""

    path: str
    scores: StreamScores
    parts: tuple[SegmentPart, ...]

    @classmethod
    def open(cls, path: str) -> FinishedRun:
        """Read what a folder holds, without its scores of segments."""
        folder = Path(path)
        if not (folder / MANIFEST).is_file():
            raise DataError(
                f"{path}: is not the folder of a run; make one with: nlgauge score --stream ... "
                "--segments FOLDER"
            )
        if not (folder / SCORES).is_file():
            raise DataError(f"{path}: the run was not finished; go on with it by --resume")
        records = (read_manifest(found) for found in folder.glob("part-*.json"))
        parts = sorted((_part(folder, record) for record in records), key=lambda part: part.first)
        scores = StreamScores.load(folder / SCORES)
        end = 0
        for part in parts:
            if part.first != end:
                break
            end += part.rows
        if end != scores.segments:
            raise DataError(
                f"{path}: the part after segment {end:,} of {scores.segments:,} is missing; go on "
                "with the run by --resume"
            )
        return cls(path, scores, tuple(parts))


def _part(folder: Path, record: Mapping[str, Any]) -> SegmentPart:
    return SegmentPart(str(folder / record["segments"]), record["first"], record["rows"])


@dataclass(frozen=True)
class SegmentSpan:
    """A span of segments, and the parts of every run that have some of them."""

    first: int
    rows: int
    parts: tuple[tuple[SegmentPart, ...], ...]  # of each run

    @property
    def name(self) -> str:
        """Return how messages call the span."""
        return self.parts[0][0].path


@dataclass(frozen=True, eq=False)
class JoinedRuns:
    """Runs over the same segments are joined: their systems side by side, by the metrics that all
    of them have.
    """

    runs: tuple[FinishedRun, ...]
    systems: tuple[tuple[str, str], ...]  # names here and in the run, run after run
    metrics: Mapping[str, Metric]

    @classmethod
    def open(cls, paths: Sequence[str]) -> JoinedRuns:
        """Read the folders of runs, and check that they are about the same segments."""
        if not paths:
            raise DataError("no run is given; name folders that score --stream --segments wrote")
        runs = tuple(map(FinishedRun.open, paths))
        for run in runs[1:]:
            if run.scores.segments != runs[0].scores.segments:
                raise DataError(
                    f"{run.path} has {run.scores.segments:,} segments, and {runs[0].path} "
                    f"{runs[0].scores.segments:,}; only runs over the same segments can be compared"
                )
        known = Counter(system for run in runs for system in run.scores.sums)
        systems = tuple(
            (system if known[system] == 1 else f"{Path(run.path).name}/{system}", system)
            for run in runs
            for system in run.scores.sums
        )
        if len({name for name, _ in systems}) < len(systems):
            raise DataError(f"{', '.join(paths)}: two runs have systems of the same names")
        return cls(runs, systems, _shared_metrics(runs))

    @property
    def names(self) -> list[str]:
        """Return the names of the systems."""
        return [name for name, _ in self.systems]

    def scores(self) -> StreamScores:
        """Return the exact sums of all systems, with resamples if all runs drew the same ones."""
        given = [run.scores for run in self.runs]
        drawn = {(scores.resamples, scores.seed) for scores in given}
        resamples, seed = drawn.pop() if len(drawn) == 1 else (0, 0)
        found = StreamScores(self.metrics, resamples, seed, given[0].segments)
        both = [scores.references for scores in given if scores.references is not None]
        found.references = (min(a for a, _ in both), max(b for _, b in both)) if both else None
        names = iter(self.names)
        for scores in given:
            places = [list(scores.metrics).index(name) for name in self.metrics]
            for system, sums in scores.sums.items():
                name = next(names)
                found.sums[name] = [sums[i] for i in places]
                if resamples:
                    found.drawn[name] = [scores.drawn[system][i] for i in places]
        return found

    def spans(self) -> Iterator[SegmentSpan]:
        """Yield spans of segments, as the first run cut them."""
        starts = [[part.first for part in run.parts] for run in self.runs]
        for lead in self.runs[0].parts:
            parts = []
            for run, firsts in zip(self.runs, starts, strict=True):
                begin = bisect_right(firsts, lead.first) - 1
                end = bisect_right(firsts, lead.first + lead.rows - 1)
                parts.append(run.parts[begin:end])
            yield SegmentSpan(lead.first, lead.rows, tuple(parts))

    def read(self, span: SegmentSpan) -> SegmentBlock:
        """Return the scores of a span by all systems, whose runs must agree on ids."""
        names, ids = iter(self.names), None
        scores: dict[str, Floats] = {}
        for run, parts in zip(self.runs, span.parts, strict=True):
            blocks = [part.read(list(self.metrics)) for part in parts]
            skipped = slice(span.first - parts[0].first, span.first - parts[0].first + span.rows)
            found = [name for block in blocks for name in block.ids][skipped]
            if ids is not None and found != ids:
                row = next(i for i, (a, b) in enumerate(zip(ids, found, strict=True)) if a != b)
                raise DataError(
                    f"segment {span.first + row + 1:,} has the id {ids[row]!r} in "
                    f"{self.runs[0].path}, and {found[row]!r} in {run.path}; only runs over the "
                    "same segments can be compared"
                )
            ids = found
            for system in run.scores.sums:
                if any(system not in block.scores for block in blocks):
                    raise DataError(f"{span.name}: has no scores of system {system!r}")
                joined = np.concatenate([block.scores[system] for block in blocks])
                scores[next(names)] = joined[skipped]
        return SegmentBlock(ids or (), scores)


def _shared_metrics(runs: Sequence[FinishedRun]) -> dict[str, Metric]:
    first = runs[0].scores
    signatures = [run.scores.signatures() for run in runs]
    names = [name for name in first.metrics if all(name in known for known in signatures)]
    if not names:
        raise DataError(f"{', '.join(run.path for run in runs)}: there is no metric that all have")
    for name in names:
        if len({known[name] for known in signatures}) > 1:
            raise DataError(
                f"{name}: was computed in different ways by {', '.join(run.path for run in runs)}: "
                f"{', '.join(sorted({known[name] for known in signatures}))}"
            )
    return {name: first.metrics[name] for name in names}
