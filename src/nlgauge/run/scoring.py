"""Score systems with metrics, and return a table of scores."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from nlgauge.core import registry
from nlgauge.core.facts.defaults import RESAMPLES, SEED
from nlgauge.core.failures import guarded
from nlgauge.core.metric import Metric
from nlgauge.core.outputs import Outputs, OutputScores
from nlgauge.core.rows import rows_of_all
from nlgauge.core.table import Column, ScoreTable
from nlgauge.data.columns import is_frame
from nlgauge.data.corpus import Corpus, Suite
from nlgauge.data.run_context import RunContext
from nlgauge.errors import DataError, NlgaugeWarning, ResourceMissing, SpecError
from nlgauge.kernels import Floats, checked_threads
from nlgauge.stats import resampling

# How commands call these options.
_FLAGS = {
    "tokenizer": " (-tok)",
    "lowercase": " (-lc)",
    "smooth": " (-s)",
    "smooth_value": " (-sv)",
}


def score(
    hypotheses: Any,
    references: Any = None,
    *,
    metrics: registry.Metrics = ("bleu", "chrf", "ter"),
    reference_sets: Iterable[Iterable[str | None]] | None = None,
    hypothesis: str | Sequence[str] | None = None,
    system: str | None = None,
    human: str | Sequence[str] | None = None,
    confidence: bool = False,
    threads: int | None = None,
    **columns: Any,
) -> ScoreTable:
    """Score one system (a list of str), several (a mapping of lists) or a data frame.

    `references` has one str or list of str per segment; the transposed layout, one list over all
    segments per reference, goes by the name `reference_sets`. Other columns of `Corpus.build`
    (`sources`, `ids`, `reference_weights` ...) are keyword arguments.

    Of a data frame, or a list of records, arguments name columns: `references` one or several,
    `hypothesis` the outputs (several columns are several systems), `system` who wrote the output of
    a row, `human` ratings that the table keeps for `meta_evaluate`; `id`, `source`, `context` and
    `table` likewise. Columns called as nlgauge calls them need not be named.
    """
    named: dict[str, Any] = {"hypothesis": hypothesis, "system": system, "human": human}
    if is_frame(hypotheses):
        from nlgauge.run.data_frames import DataFrame

        frame = DataFrame.read(hypotheses, references=references, **named, **columns)
        judgements = None if human is None else frame.outputs()[1]
        table = score_suite(frame.suite(), metrics, confidence=confidence, threads=threads)
        return replace(table, judgements=judgements)
    for name, given in named.items():
        if given is not None:
            raise SpecError(f"{name}={given!r:.40}: names a column, but no data frame was given")
    systems = hypotheses if isinstance(hypotheses, Mapping) else {"system": hypotheses}
    suite = Suite.build(systems, references, reference_sets=reference_sets, **columns)
    return score_suite(suite, metrics, confidence=confidence, threads=threads)


def score_suite(
    suite: Suite,
    metrics: registry.Metrics,
    *,
    shared_options: Mapping[str, object] | None = None,
    preferences: Mapping[str, object] | None = None,
    confidence: bool = False,
    paired: bool = False,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
    context: RunContext | None = None,
) -> ScoreTable:
    """Score every system of a suite with every metric.

    `shared_options` hold for all metrics that have them; one that has no effect is told.
    `preferences`, such as the tokeniser of a language, hold without a word. `confidence` adds bootstrap intervals,
    `paired` tests every system against the first by paired bootstrap. `context` has the settings
    of the run, such as folders of caches and functions that hear of its progress; `threads`, if
    given, goes before the number of the context.
    """
    if context is not None:
        suite = suite.within(context)
    first = next(iter(suite))
    context = first.context
    threads = checked_threads(context.threads if threads is None else threads)
    named, left_out = named_metrics(metrics, shared_options or {}, first, preferences or {})
    _check_texts(named, suite)
    columns = tuple(Column(name, m, m.signature(first)) for name, m in named.items())
    rows = {}
    for corpus in suite:
        if context.on_system is not None:
            context.on_system(corpus.name)
        rows[corpus.name] = tuple(compute_rows(list(named.values()), corpus, threads))
    table = ScoreTable(columns, rows, len(suite), first.ids, left_out=left_out, suite=suite)
    if not confidence and not paired:
        return table
    intervals, p_values = resampling.bootstrap(table, resamples=resamples, seed=seed)
    return replace(table, intervals=intervals, p_values=p_values if paired else {})


def score_outputs(
    outputs: Outputs,
    metrics: registry.Metrics,
    *,
    shared_options: Mapping[str, object] | None = None,
    threads: int | None = None,
    fit_on: Corpus | None = None,
) -> OutputScores:
    """Score outputs of which not every system has every item. Metrics that look at the whole test
    set see the references of each item once, or those of `fit_on`.
    """
    named, left_out = named_metrics(metrics, shared_options or {}, outputs.corpus)
    _check_texts(named, [outputs.corpus])
    rows = compute_rows(
        list(named.values()),
        outputs.corpus,
        checked_threads(threads),
        fit_on=outputs.distinct_items() if fit_on is None else fit_on,
    )
    return OutputScores(
        items=outputs.items,
        systems=outputs.systems,
        columns=tuple(Column(n, m, m.signature(outputs.corpus)) for n, m in named.items()),
        rows=tuple(rows),
        left_out=left_out,
    )


def _check_texts(named: Mapping[str, Metric], corpora: Iterable[Corpus]) -> None:
    from nlgauge.core.understanding import guards  # late, so that `nlgauge.score` is there sooner

    guards.check(named, corpora)


def compute_rows(
    metrics: Sequence[Metric], corpus: Corpus, threads: int, *, fit_on: Corpus | None = None
) -> list[Floats]:
    """Return the rows of all metrics, each fitted to the corpus or to another one."""
    fitted = []
    for metric in metrics:
        with guarded(metric, "fit"):
            fitted.append((metric, metric.fitted(corpus if fit_on is None else fit_on)))
    return rows_of_all(fitted, corpus, threads=threads)


def named_metrics(
    metrics: registry.Metrics,
    shared: Mapping[str, object],
    corpus: Corpus,
    preferences: Mapping[str, object] | None = None,
) -> tuple[dict[str, Metric], dict[str, str]]:
    """Return each metric under the name it was asked for by, and the members of a group that the
    corpus or the installation lacks something for, with the reason. A metric asked for by its own
    name must fit.
    """
    wanted = {**(preferences or {}), **shared}
    named: dict[str, Metric] = {}
    left_out: dict[str, str] = {}
    unused = set(shared)
    ignored: dict[str, list[str]] = {option: [] for option in shared}
    for given in registry.listed(metrics):
        group = registry.members(given) if isinstance(given, str) else None
        for member in [given] if group is None else group:
            metric = registry.metric(member) if isinstance(member, str) else member
            options = {k: v for k, v in wanted.items() if hasattr(metric, k)}
            unused -= options.keys()
            name = member.strip() if isinstance(member, str) else registry.spec(member)
            if name in named:
                raise SpecError(f"metric {name} is given twice")
            metric = replace(metric, **options)
            try:
                metric.check_inputs(corpus)
            except (DataError, ResourceMissing) as error:
                if group is None:
                    raise
                left_out[name] = str(error)
                if given in registry.SETS and isinstance(error, ResourceMissing):
                    message = f"{given}: {name} is left out: {error}"
                    warnings.warn(message, NlgaugeWarning, stacklevel=3)
            else:
                named[name] = metric
                for option in shared.keys() - (options.keys() - metric.unused_options()):
                    ignored[option].append(name)
    if not named:
        raise SpecError("no metric to score with; see: nlgauge metrics")
    if unused:
        raise SpecError(f"none of {', '.join(named)} has the option {', '.join(sorted(unused))}")
    for option, names in ignored.items():
        if names:
            warnings.warn(
                f"{option}={shared[option]}{_FLAGS.get(option, '')} changes nothing for "
                f"{', '.join(names)}: not an option there, or not used with the others",
                NlgaugeWarning,
                stacklevel=3,
            )
    return named, left_out
