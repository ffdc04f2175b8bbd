"""From systems and metrics to a table of scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from nlgauge import registry
from nlgauge.data import Corpus, References, Suite, warn_if_tokenized
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats, Texts, available_threads
from nlgauge.metric import KernelMetric, Metric, rows_of
from nlgauge.stats import resampling
from nlgauge.table import Column, ScoreTable

DETOKENISED = frozenset(
    {"13a", "13a-lower", "intl", "mteval-intl", "zh", "ja-mecab", "ko-mecab"}
)  # made for running text


def score(
    hypotheses: Sequence[str] | Texts | Mapping[str, Sequence[str] | Texts],
    references: Sequence[str] | Sequence[Sequence[str]] | References | None = None,
    *,
    metrics: Iterable[str | Metric] = ("bleu", "chrf", "ter"),
    reference_sets: Sequence[Sequence[str | None] | Texts] | None = None,
    confidence: bool = False,
    threads: int | None = None,
    **columns: Any,
) -> ScoreTable:
    """Score one system (a list of str) or several (a mapping of lists).

    `references` has one str or list of str per segment; the transposed layout, one list over all
    segments per reference, goes by the name `reference_sets`. Other columns of `Corpus.build`
    (`sources`, `ids`, `reference_weights` ...) are keyword arguments.
    """
    systems = hypotheses if isinstance(hypotheses, Mapping) else {"system": hypotheses}
    suite = Suite.build(systems, references, reference_sets=reference_sets, **columns)
    return score_suite(suite, metrics, confidence=confidence, threads=threads)


def score_suite(
    suite: Suite,
    metrics: Iterable[str | Metric],
    *,
    confidence: bool = False,
    paired: bool = False,
    resamples: int = resampling.RESAMPLES,
    seed: int = resampling.SEED,
    threads: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> ScoreTable:
    """Score every system of a suite with every metric.

    `confidence` adds bootstrap intervals, `paired` tests every system against the first by paired
    bootstrap; `progress` hears each system's name.
    """
    threads = available_threads() if threads is None else threads
    if threads < 1:
        raise SpecError(f"threads={threads}: must be at least 1")
    named = _named(metrics)
    first = next(iter(suite))
    for metric in named.values():
        metric.check_inputs(first)
    _warn(suite, named.values())
    columns = tuple(Column(name, m, m.signature(first)) for name, m in named.items())
    rows = {}
    for corpus in suite:
        if progress is not None:
            progress(corpus.name)
        rows[corpus.name] = tuple(compute_rows(list(named.values()), corpus, threads))
    ids = first.ids if first.ids is not None else [str(i + 1) for i in range(len(suite))]
    table = ScoreTable(columns, rows, ids)
    if not confidence and not paired:
        return table
    intervals, p_values = resampling.bootstrap(table, resamples=resamples, seed=seed)
    return replace(table, intervals=intervals, p_values=p_values if paired else {})


def compute_rows(metrics: Sequence[Metric], corpus: Corpus, threads: int) -> list[Floats]:
    """Rows of all metrics; those that prepare texts alike share one pass over them."""
    result: dict[int, Floats] = {}
    alike: dict[Any, dict[int, tuple[KernelMetric, Any]]] = {}
    for i, metric in enumerate(metrics):
        state = metric.fitted(corpus)
        if isinstance(metric, KernelMetric):
            alike.setdefault(metric.preparation(), {})[i] = (metric, state)
        else:
            result[i] = metric.rows(corpus, state, threads=threads)
    for group in alike.values():
        rows = rows_of(list(group.values()), corpus, threads=threads)
        result.update(zip(group, rows, strict=True))
    return [result[i] for i in range(len(metrics))]


def _named(metrics: Iterable[str | Metric]) -> dict[str, Metric]:
    """Each metric under the name it was asked for by."""
    named: dict[str, Metric] = {}
    for given in metrics:
        name = given.strip() if isinstance(given, str) else registry.spec(given)
        if name in named:
            raise SpecError(f"metric {name} is given twice")
        named[name] = registry.metric(given) if isinstance(given, str) else given
    if not named:
        raise SpecError("no metric given; see: nlgauge metrics")
    return named


def _warn(suite: Suite, metrics: Iterable[Metric]) -> None:
    if any(getattr(metric, "tokenizer", None) in DETOKENISED for metric in metrics):
        for corpus in suite:
            warn_if_tokenized(corpus.hypotheses, corpus.name)
