"""Score systems with metrics, and return a table of scores."""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from nlgauge.core import registry
from nlgauge.core.facts.defaults import RESAMPLES, SEED
from nlgauge.core.failures import guarded
from nlgauge.core.metric import Metric
from nlgauge.core.rows import rows_of_all
from nlgauge.core.table import Column, ScoreTable
from nlgauge.data.corpus import Corpus, Suite
from nlgauge.data.paths import is_file
from nlgauge.data.run_context import RunContext
from nlgauge.errors import DataError, NlgaugeWarning, ResourceMissing, SpecError, did_you_mean
from nlgauge.kernels import Floats, checked_threads
from nlgauge.run.frame_shapes import as_frame
from nlgauge.run.metric_lists import split_metrics
from nlgauge.text.languages import find_pair

if TYPE_CHECKING:
    from nlgauge.core.outputs import Outputs, OutputScores

LANG = "lang"  # the shared option that is no option of metrics, but chooses theirs
T = TypeVar("T", Corpus, Suite)
# How commands call these options.
_FLAGS = {
    "tokenizer": " (-tok)",
    "lowercase": " (-lc)",
    "smooth": " (-s)",
    "smooth_value": " (-sv)",
}

_OF_SOME = frozenset({"judge"})  # options that nobody expects all metrics to have


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
    lang: str | None = None,
    **columns: Any,
) -> ScoreTable:
    """Score one system (a list of str), several (a mapping of lists) or a data frame.

    `lang`, such as "de" or "en-de", chooses tokenisers, stemmers and encoders for the language of
    the outputs, where nobody has; signatures name them (docs/guide/my-language.md). Of a data
    frame, it may be "lang_pair", the column that has it.

    `references` has one str or list of str per segment; the transposed layout, one list over all
    segments per reference, goes by the name `reference_sets`. Other columns of `Corpus.build`
    (`sources`, `ids`, `reference_weights` ...) are keyword arguments.

    Of a data frame, a list of records or a dict of columns, arguments name columns: `references`
    one or several, `hypothesis` the outputs (several columns are several systems), `system` who
    wrote the output of a row, `human` ratings that the table keeps for `meta_evaluate`; `id`,
    `source`, `context` and `table` likewise. Columns called as nlgauge calls them need not be
    named.

    >>> table = nlgauge.score(["the cat sat"], [["the cat sat", "a cat"]], metrics=["chrf", "ter"])
    >>> table["ter"].score
    0.0
    >>> rows = [{"id": 1, "model": "a", "text": "a cat", "gold": "the cat"}]
    >>> table = nlgauge.score(rows, "gold", hypothesis="text", system="model", metrics="ter")
    >>> table["a", "ter"].score
    50.0
    """
    shared = {} if lang is None else {LANG: lang}
    named: dict[str, Any] = {"hypothesis": hypothesis, "system": system, "human": human}
    texts = references if reference_sets is None else reference_sets
    rows = as_frame(hypotheses, {**named, **columns, "references": texts})
    if rows is not None:
        from nlgauge.io.texts.language_column import COLUMN, language_in
        from nlgauge.run.data_frames import DataFrame

        frame = DataFrame.read(rows, references=references, **named, **columns)
        if lang == COLUMN:
            shared[LANG] = language_in(frame.rows)
        judgements = None if human is None else frame.outputs()[1]
        table = score_suite(
            frame.suite(),
            metrics,
            shared_options=shared,
            confidence=confidence,
            threads=threads,
        )
        return replace(table, judgements=judgements)
    for name, given in named.items():
        if given is not None:
            raise SpecError(f"{name}={given!r:.40}: names a column, but no data frame was given")
    _refuse_unknown(columns)
    if isinstance(hypotheses, str | os.PathLike) and is_file(Path(hypotheses)):
        raise SpecError(
            f"{os.fspath(hypotheses)} is a file; read it first: "
            f"nlgauge.score_suite(nlgauge.io.read_suite(path), metrics)"
        )
    systems = hypotheses if isinstance(hypotheses, Mapping) else {"system": hypotheses}
    suite = Suite.build(systems, references, reference_sets=reference_sets, **columns)
    return score_suite(
        suite, metrics, shared_options=shared, confidence=confidence, threads=threads
    )


def _refuse_unknown(columns: Iterable[str]) -> None:
    """Refuse names that are no column of a corpus."""
    known = [name for name in inspect.signature(Corpus.build).parameters if name != "name"]
    for name in columns:
        if name not in known:
            own = [n for n in inspect.signature(score).parameters if n not in (*known, "columns")]
            hint = did_you_mean(name, [*known, *own], f"there is: {', '.join([*known, *own])}")
            raise SpecError(f"score: no argument {name!r}; {hint}")


def score_suite(
    suite: Suite,
    metrics: registry.Metrics,
    *,
    shared_options: Mapping[str, object] | None = None,
    confidence: bool = False,
    paired: bool = False,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
    context: RunContext | None = None,
) -> ScoreTable:
    """Score every system of a suite with every metric.

    `shared_options` hold for all metrics that have them; `lang` among them is the language, which
    chooses options that nobody has chosen. `confidence` adds bootstrap intervals,
    `paired` tests every system against the first by paired bootstrap. `context` has the settings
    of the run, such as folders of caches and functions that hear of its progress; `threads`, if
    given, goes before the number of the context.
    """
    if context is not None:
        suite = suite.within(context)
    first = next(iter(suite))
    context = first.context
    threads = checked_threads(context.threads if threads is None else threads)
    named, left_out = named_metrics(metrics, shared_options or {}, first)
    suite = spoken(suite, shared_options or {})
    first = next(iter(suite))
    _check_texts(named, suite)
    rows = {}
    for corpus in suite:
        if context.on_system is not None:
            context.on_system(corpus.name)
        rows[corpus.name] = tuple(compute_rows(list(named.values()), corpus, threads))
    # Some signatures name what turned out only now, such as what a server says has answered.
    columns = tuple(Column(name, m, m.signature(first)) for name, m in named.items())
    table = ScoreTable(columns, rows, len(suite), first.ids, left_out=left_out, suite=suite)
    if not confidence and not paired:
        return table
    from nlgauge.stats import resampling

    intervals, p_values = resampling.bootstrap(table, resamples=resamples, seed=seed)
    return replace(table, intervals=intervals, p_values=p_values if paired else {})


def score_outputs(
    outputs: Outputs,
    metrics: registry.Metrics,
    *,
    shared_options: Mapping[str, object] | None = None,
    threads: int | None = None,
    fit_on: Corpus | None = None,
    context: RunContext | None = None,
) -> OutputScores:
    """Score outputs of which not every system has every item. Metrics that look at the whole test
    set see the references of each item once, or those of `fit_on`. `context` has the settings of
    the run; `threads`, if given, goes before the number there.
    """
    from nlgauge.core.outputs import OutputScores

    if context is not None:
        outputs = replace(outputs, corpus=outputs.corpus.within(context))
    given = outputs.corpus.context.threads if threads is None else threads
    named, left_out = named_metrics(metrics, shared_options or {}, outputs.corpus)
    corpus = spoken(outputs.corpus, shared_options or {})
    _check_texts(named, [corpus])
    rows = compute_rows(
        list(named.values()),
        corpus,
        checked_threads(given),
        fit_on=outputs.distinct_items() if fit_on is None else fit_on,
    )
    return OutputScores(
        items=outputs.items,
        systems=outputs.systems,
        columns=tuple(Column(n, m, m.signature(outputs.corpus)) for n, m in named.items()),
        rows=tuple(rows),
        left_out=left_out,
    )


def spoken(texts: T, shared: Mapping[str, object]) -> T:
    """Return texts for a run in which their language is known, if the shared options say it."""
    if (code := shared.get(LANG)) is None:
        return texts
    context = texts.context if isinstance(texts, Corpus) else next(iter(texts)).context
    return texts.within(in_language(context, str(code)))


def in_language(context: RunContext, lang: str | None) -> RunContext:
    """Return the settings of a run in which texts are in a language, if one is named."""
    if lang is None:
        return context
    source, target = find_pair(lang)
    return replace(
        context,
        language=target.code,
        source_language=None if source is None else source.code,
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


def _each(metrics: registry.Metrics) -> list[str | Metric]:
    """Return metrics one by one, also of texts that list several."""
    return [
        one
        for given in registry.listed(metrics)
        for one in (split_metrics(given) if isinstance(given, str) else [given])
    ]


def named_metrics(
    metrics: registry.Metrics, shared: Mapping[str, object], corpus: Corpus
) -> tuple[dict[str, Metric], dict[str, str]]:
    """Return each metric under the name it was asked for by, and the members of a group that the
    corpus or the installation lacks something for, with the reason. A metric asked for by its own
    name must fit.
    """
    named: dict[str, Metric] = {}
    left_out: dict[str, str] = {}
    code = shared.get(LANG)
    source, language = (None, None) if code is None else find_pair(str(code))
    corpus, shared = spoken(corpus, shared), {k: v for k, v in shared.items() if k != LANG}
    unused = set(shared)
    ignored: dict[str, list[str]] = {option: [] for option in shared}
    for given in _each(metrics):
        group = registry.members(given) if isinstance(given, str) else None
        for member in [given] if group is None else group:
            metric = registry.metric(member) if isinstance(member, str) else member
            options = {k: v for k, v in shared.items() if hasattr(metric, k)}
            unused -= options.keys()
            name = member.strip() if isinstance(member, str) else registry.spec(member)
            if name in named:
                raise SpecError(f"metric {name} is given twice")
            metric = replace(metric, **options)
            try:
                if language is not None:
                    from nlgauge.core.language_options import fitted_to

                    set_by_hand = registry.given_options(member) | options.keys()
                    metric = fitted_to(metric, language, set_by_hand, source=source)
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
        if names and option not in _OF_SOME:
            warnings.warn(
                f"{option}={shared[option]}{_FLAGS.get(option, '')} changes nothing for "
                f"{', '.join(names)}: not an option there, or not used with the others",
                NlgaugeWarning,
                stacklevel=3,
            )
    return named, left_out
