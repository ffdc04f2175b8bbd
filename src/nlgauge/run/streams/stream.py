"""Score a stream of batches in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from nlgauge.core import registry
from nlgauge.core.facts.defaults import RESAMPLES, SEED
from nlgauge.core.metric import Metric
from nlgauge.core.understanding import guards
from nlgauge.data.corpus import Corpus, Suite
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import checked_threads
from nlgauge.run.scoring import named_metrics, spoken
from nlgauge.run.streams.job import CountTables, ScoringJob, merge_tables, numbered
from nlgauge.run.streams.scores import StreamScores

Batches = Iterable[Any] | Callable[[], Iterable[Any]]


def score_stream(
    batches: Batches,
    metrics: registry.Metrics = ("bleu", "chrf", "ter"),
    *,
    confidence: bool = False,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
    first: int = 0,
) -> StreamScores:
    """Score batches of segments, of which only one is held in memory.

    A batch is a Suite, a Corpus, or a pair of hypotheses and references. Metrics that look at the
    whole corpus first, such as CIDEr, read the batches twice: give a list, or a function that
    returns them anew. `confidence` adds intervals of the Poisson bootstrap; `first` is the number
    of the first segment in a larger corpus, from 0, on which the resamples depend.
    """
    source = batches if callable(batches) else lambda: batches
    suites = map(_suite, source())
    start = next(suites, None)
    if start is None:
        raise DataError("batches: there are none; give at least one")
    job = prepared(start, metrics, threads=checked_threads(threads))
    job = replace(job, resamples=resamples if confidence else 0, seed=seed)
    if job.count(start):
        if not callable(batches) and iter(batches) is batches:
            raise SpecError(
                f"{', '.join(job.counting())}: the whole corpus must be counted before any of it "
                "is scored, and the batches can be read only once; give a function that returns "
                "them, or document frequencies where the metric takes them (df=FILE)"
            )
        job = replace(job, counts=_counted(job, map(_suite, source())))
        start, suites = None, map(_suite, source())
    scores = job.empty()
    for number, suite in numbered(_chained(start, suites), first):
        job.score(suite, scores, number)
    return scores


def prepared(
    suite: Suite,
    metrics: registry.Metrics,
    *,
    shared_options: Mapping[str, object] | None = None,
    threads: int = 1,
) -> ScoringJob:
    """Return the job of a stream that begins with this suite, by which metrics and texts are
    checked; refuse metrics that need all of it at once.
    """
    suite = spoken(suite, shared_options or {})
    corpus = next(iter(suite))
    named, _ = named_metrics(metrics, shared_options or {}, corpus)
    refuse_whole(named)
    guards.check(named, suite)
    return ScoringJob(
        metrics=named, systems=tuple(suite.systems), threads=threads, context=corpus.context
    )


def refuse_whole(metrics: Mapping[str, Metric]) -> None:
    """Refuse metrics that cannot score a corpus in parts, with their reasons."""
    reasons = {name: metric.whole_only() for name, metric in metrics.items()}
    listed = "; ".join(f"{name}: {reason}" for name, reason in reasons.items() if reason)
    if listed:
        raise SpecError(f"{listed}; score without a stream, or leave the metric out")


def _counted(job: ScoringJob, suites: Iterable[Suite]) -> CountTables:
    tables: CountTables = {}
    for suite in suites:
        tables = merge_tables(tables, job.count(suite))
    return tables


def _chained(start: Suite | None, suites: Iterator[Suite]) -> Iterator[Suite]:
    if start is not None:
        yield start
    yield from suites


def _suite(batch: Any) -> Suite:
    if isinstance(batch, Suite):
        return batch
    if isinstance(batch, Corpus):
        return Suite({batch.name: batch})
    if isinstance(batch, tuple) and len(batch) == 2:
        hypotheses, references = batch
        systems = hypotheses if isinstance(hypotheses, Mapping) else {"system": hypotheses}
        return Suite.build(systems, references)
    raise DataError(
        f"batches: {type(batch).__name__} {batch!r:.40} was given; give Suites, Corpora, or pairs "
        "of hypotheses and references"
    )
