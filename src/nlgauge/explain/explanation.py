"""Explain why a segment got its score: how its words were matched or edited, or what it says.

A metric's `trace` compares one hypothesis with one reference and returns an `Alignment`, `Edits`,
`Graphs`, `TokenSimilarities`, `Trees` or `Frames`; everything that shows them works on these alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from nlgauge.core import registry
from nlgauge.core.metric import KernelMetric, Metric, Score
from nlgauge.core.results import Result
from nlgauge.data import columns
from nlgauge.data.contexts import turns_of
from nlgauge.data.corpus import Corpus, References
from nlgauge.data.run_context import RunContext
from nlgauge.errors import DataError, SpecError
from nlgauge.explain import builders
from nlgauge.explain.traces import Trace

_NO_TRACE = "words that both texts have; the metric gives no trace of its own"


@dataclass(frozen=True)
class Explanation:
    """How one metric sees one segment: its score, and the comparison with one reference, or with
    the source where the metric looks at that.
    """

    name: str
    score: Score
    trace: Trace
    reference: int | None  # which one, from 0; None: the source
    of: str = ""  # whose output it is and of which segment, if that is known
    looked_at: str = "source"  # what it is, if it is no reference
    # For pages, which show the texts as they were given: files of results have no need of them.
    hypothesis: str = field(default="", repr=False, metadata={"shown": False})
    compared: str = field(default="", repr=False, metadata={"shown": False})
    higher_is_better: bool | None = field(default=None, repr=False, metadata={"shown": False})

    @property
    def called(self) -> str:
        """Name the metric and, if that is known, whose output it looked at."""
        return f"{self.name}: {self.of}" if self.of else self.name

    @property
    def other(self) -> str:
        """Name what the hypothesis is compared with."""
        return self.looked_at if self.reference is None else "reference"

    @property
    def against(self) -> str:
        """Name whose output it is, and what it is compared with, by its number."""
        which = (
            f"the {self.looked_at}" if self.reference is None else f"reference {self.reference + 1}"
        )
        return f"{self.of}, against {which}" if self.of else f"against {which}"


class Explanations(Result, list[Explanation]):
    """These are explanations of one or several outputs, by one or several metrics."""


def explain(
    hypothesis: str,
    references: str | Iterable[str] = (),
    metrics: registry.Metrics = ("bleu", "ter"),
    *,
    reference: int | None = None,
    source: str | None = None,
    turns: Iterable[Any] | None = None,
    table: Any = None,
    context: RunContext | None = None,
    fit_on: Corpus | None = None,
) -> Explanations:
    """Explain a segment by each metric that can; against the given reference or its best one, or
    by the turns that were said before, each a text, or a speaker and a text. `table` is what the
    text puts into words, `context` has the settings of the run, and `fit_on` is the test set that
    the segment is from, for metrics that weigh words by it.
    """
    said = None if turns is None else turns_of("turns", list(columns.entries("turns", turns)))
    refs = (
        [references] if isinstance(references, str) else columns.entries("references", references)
    )
    others = [*([] if source is None else [source]), *(text for _, text in said or [])]
    for text in (hypothesis, *refs, *others):
        _check_characters(text)
    if reference is not None and not 0 <= reference < len(refs):
        raise SpecError(f"reference {reference + 1}: there are {len(refs)}")
    explanations = Explanations()
    for given in registry.listed(metrics):
        metric = registry.metric(given) if isinstance(given, str) else given
        name = given if isinstance(given, str) else registry.spec(given)
        corpus = Corpus.build(
            [hypothesis],
            [refs],
            sources=None if source is None else [source],
            contexts=None if said is None else [said],
            tables=None if table is None else [table],
        )
        corpus = corpus if context is None else corpus.within(context)
        metric.check_inputs(corpus)
        higher = metric.info.higher_is_better
        (shown,) = metric.explained(corpus) or (None,)
        if shown is not None:
            scored = metric.evaluate(corpus, fit_on=fit_on)
            looked_at = "turns" if "turns" in metric.info.needs else "text itself"
            found = Explanation(name, scored, shown, None, looked_at=looked_at)
            explanations.append(replace(found, hypothesis=hypothesis, higher_is_better=higher))
            continue
        if source is not None and "references" not in metric.info.needs:
            which, other = None, source
        else:
            state = None if fit_on is None else metric.fitted(fit_on)
            which = _best(metric, corpus, state) if reference is None else reference
            other = refs[which]
        trace = trace_of(metric, hypothesis, other)
        if trace is None:
            raise SpecError(f"{name} has no words or edits to show; try bleu, ter or meteor")
        scored = metric.evaluate(corpus, fit_on=fit_on)
        found = Explanation(name, scored, trace, which, compared=other)
        explanations.append(replace(found, hypothesis=hypothesis, higher_is_better=higher))
    return explanations


def best_trace(metric: Metric, segment: Corpus, state: Any) -> Trace | None:
    """Return the comparison of the only segment of a corpus with its best reference, by a metric
    that was fitted. Nothing is said about the texts, as of a whole test set it was said once.
    """
    (refs,) = segment.references
    return trace_of(metric, segment.hypotheses[0], refs[_best(metric, segment, state)])


def trace_of(metric: Metric, hypothesis: str, reference: str) -> Trace | None:
    """Return the metric's own trace or, if it has none but looks at words, their common n-grams."""
    trace = metric.trace(hypothesis, reference)
    preparation = metric.preparation()
    if trace is not None or preparation is None:
        return trace
    found = builders.runs(*preparation.words([hypothesis, reference]))
    return found if isinstance(metric, KernelMetric) else replace(found, note=_NO_TRACE)


def _check_characters(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DataError(
            f"{text[:40]!r}: {text[error.start]!r} is half of a surrogate pair and no character; "
            "write the text as UTF-8"
        ) from None


def _best(metric: Metric, corpus: Corpus, state: Any) -> int:
    """Return the reference with the best score of its own; the first of several."""
    (refs,) = corpus.references
    if len(refs) == 1:
        return 0
    sign = 1 if metric.info.higher_is_better else -1
    alone = (replace(corpus, references=References.build([[ref]])) for ref in refs)
    # Not `evaluate`, which would say for each reference what it says once for all.
    rows = (metric.rows(one, metric.fitted(one) if state is None else state) for one in alone)
    scores = [sign * float(metric.score(found[0])) for found in rows]
    return scores.index(max(scores))
