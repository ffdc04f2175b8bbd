"""Score files of any size: in shards, by any engine, into a folder that can be gone on with."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from nlgauge.core import registry
from nlgauge.core.exact.counts import size_of_counts
from nlgauge.core.facts.defaults import RESAMPLES, SEED
from nlgauge.data.run_context import RunContext
from nlgauge.errors import DataError, NlgaugeWarning, SpecError
from nlgauge.io.request import Request
from nlgauge.io.streams.segment_files import UnwrittenScores
from nlgauge.io.streams.shards import ROWS, Shard, rereadable, shards_of
from nlgauge.run.streams.engines import Engine, HereEngine
from nlgauge.run.streams.folder import RunFolder
from nlgauge.run.streams.job import CountTables, ScoringJob, merge_tables, numbered
from nlgauge.run.streams.scores import StreamScores
from nlgauge.run.streams.stream import prepared
from nlgauge.version import __version__

MOST_COUNTED = 4 << 30  # bytes of tables that are held at once


@dataclass(frozen=True, eq=False)
class ShardTask:
    """A shard and its number in the stream."""

    number: int
    shard: Shard

    @property
    def name(self) -> str:
        """Return how messages call the shard."""
        return self.shard.name


@dataclass(frozen=True, eq=False)
class ShardJob:
    """A job for shards, whose segments' scores are written to a folder if there is one."""

    scoring: ScoringJob
    folder: RunFolder | None = None


def score_files(
    request: Request,
    metrics: registry.Metrics,
    *,
    engine: Engine | None = None,
    folder: RunFolder | None = None,
    resume: bool = False,
    shared_options: Mapping[str, object] | None = None,
    confidence: bool = False,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int = 1,
    context: RunContext | None = None,
    rows: int = ROWS,
    on_shard: Callable[[int], None] | None = None,
    on_counted: Callable[[int], None] | None = None,
) -> StreamScores:
    """Score what `stream_request` describes; the scores are the same for any engine and any `rows`
    of a shard. `on_shard` hears how many segments are scored and, where metrics look at the whole
    corpus first, `on_counted` how many are counted.
    """
    engine = engine or HereEngine()
    tasks = _tasks(request, rows)
    start = next(tasks)
    suite = next(start.shard.suites())
    if context is not None:
        suite = suite.within(context)
    job = prepared(suite, metrics, shared_options=shared_options, threads=threads)
    job = replace(job, resamples=resamples if confidence else 0, seed=seed)
    if folder is not None:
        asked = {
            "nlgauge": __version__,
            "files": [*request.paths, *(request.systems or ())],
            "source": request.sources,
            "num_refs": request.num_refs,
            "id_fields": list(request.id_fields),
            "columns": {field: list(names) for field, names in request.columns.given},
            "metrics": job.empty().signatures(),
            "resamples": job.resamples,
            "seed": seed,
            "rows": rows,
            "format": folder.format,
        }
        folder.begin(asked, resume=resume)
    if job.count(suite):
        job = replace(job, counts=_counted(request, job, engine, rows, on_counted))
        tasks = _tasks(request, rows)
    else:
        tasks = chain([start], tasks)
    scores = job.empty()
    left = _left(tasks, folder, scores) if folder is not None and resume else tasks
    for _, (state, told) in engine.run(score_shard, ShardJob(job, folder), left):
        _repeat(told)
        scores.merge(StreamScores.restored(state, job.metrics))
        if on_shard is not None:
            on_shard(scores.segments)
    if folder is not None:
        folder.end(scores)
    return scores


def score_shard(job: ShardJob, task: ShardTask) -> tuple[dict[str, Any], list[str]]:
    """Score one shard, in whichever process; return its exact sums and what was warned of."""
    scores = job.scoring.empty()
    segments = UnwrittenScores(list(job.scoring.metrics), task.shard.first)
    with _told(task) as told:
        for first, suite in numbered(task.shard.suites(), task.shard.first):
            found = job.scoring.score(suite, scores, first)
            if job.folder is not None:
                segments.add(suite, found)
    state = scores.state()
    if job.folder is not None:
        job.folder.write(task.number, task.shard, segments, state)
    return state, sorted({str(each.message) for each in told})


def count_shard(job: ShardJob, task: ShardTask) -> CountTables:
    """Count in one shard what metrics must know of all shards."""
    tables: CountTables = {}
    with _told(task):
        for suite in task.shard.suites():
            tables = merge_tables(tables, job.scoring.count(suite))
    return tables


def _counted(
    request: Request,
    job: ScoringJob,
    engine: Engine,
    rows: int,
    on_counted: Callable[[int], None] | None,
) -> CountTables:
    names = ", ".join(job.counting())
    if not rereadable(request):
        raise SpecError(
            f"{names}: the whole corpus must be counted before any of it is scored, and standard "
            "input can be read only once; give files, or document frequencies where the metric "
            "takes them (df=FILE)"
        )
    tables: CountTables = {}
    seen = 0
    for task, found in engine.run(count_shard, ShardJob(job), _tasks(request, rows)):
        tables = merge_tables(tables, found)
        seen += task.shard.rows
        if on_counted is not None:
            on_counted(seen)
        size = sum(map(size_of_counts, tables.values()))
        if size > MOST_COUNTED:
            raise DataError(
                f"{names}: what must be counted takes {size / 2**30:.1f} GiB after {seen:,} "
                f"segments, {size // seen:,} bytes each, and more for all; count a sample and give "
                "its document frequencies (df=FILE), or score fewer segments at once"
            )
    return tables


def _tasks(request: Request, rows: int) -> Iterator[ShardTask]:
    return (ShardTask(n, shard) for n, shard in enumerate(shards_of(request, rows=rows)))


def _left(
    tasks: Iterable[ShardTask], folder: RunFolder, scores: StreamScores
) -> Iterator[ShardTask]:
    """Yield the tasks that are left to do, and merge the scores of the others."""
    for task in tasks:
        state = folder.done(task.number, task.shard)
        if state is None:
            yield task
        else:
            scores.merge(StreamScores.restored(state, scores.metrics))


@contextmanager
def _told(task: ShardTask) -> Iterator[list[warnings.WarningMessage]]:
    """Collect warnings, which every process would print, and name the shard in errors that do
    not.
    """
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", NlgaugeWarning)
        try:
            yield told
        except DataError as error:
            if task.name.partition(", ")[0] in str(error):
                raise
            raise DataError(f"{task.name}: {error}") from error


def _repeat(told: Iterable[str]) -> None:
    for message in told:
        warnings.warn(message, NlgaugeWarning, stacklevel=3)
