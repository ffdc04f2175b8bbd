"""The segments of a report: texts and scores of all systems, to filter, sort and compare.

The page holds them as compact JSON and makes what is visible when it is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from nlgauge.data import Corpus, Suite
from nlgauge.explain import Edits, Trace, explain
from nlgauge.kernels import Floats
from nlgauge.metric import Metric
from nlgauge.table import ScoreTable

MOST_TRACED = 1_000_000  # bytes × metrics that get the metrics' own comparisons, which take room
_LETTERS = {"match": "=", "substitute": "S", "delete": "D", "insert": "I"}


@dataclass(frozen=True, eq=False, kw_only=True)
class BrowserScores:
    """One metric's (or annotator's) scores of all outputs; NaN where there is none."""

    name: str
    values: Floats  # [systems, segments]
    digits: int = 2
    higher_is_better: bool = True


@dataclass(frozen=True, eq=False, kw_only=True)
class SegmentBrowser:
    """Texts and scores by system and segment; None where a system has no output."""

    ids: Sequence[str]
    systems: Sequence[str]
    hypotheses: Sequence[Sequence[str | None]]  # [systems][segments]
    references: Sequence[Sequence[str]]  # of each segment
    sources: Sequence[str] | None = None
    scores: Sequence[BrowserScores] = ()
    traces: dict[str, list[list[Any]]] = field(
        default_factory=dict
    )  # metric -> [systems][segments]

    @classmethod
    def of_suite(cls, suite: Suite, table: ScoreTable) -> SegmentBrowser:
        """Everything that was scored; with the metrics' own comparisons if they are few."""
        first = next(iter(suite))
        scores = [
            BrowserScores(
                name=column.name,
                values=np.stack([table.segment_scores(s, column.name) for s in table.systems]),
                digits=_digits(column.metric.info.scale),
                higher_is_better=column.metric.info.higher_is_better,
            )
            for column in table.columns
        ]
        traces: dict[str, list[list[Any]]] = {}
        size = sum(corpus.hypotheses.nbytes for corpus in suite)
        for name, metric in ((c.name, c.metric) for c in table.columns):
            # Characters one by one would not be readable.
            if metric.info.family != "character" and size * (len(traces) + 1) <= MOST_TRACED:
                found = [_traces(metric, corpus) for corpus in suite]
                if found[0]:
                    traces[name] = found
        return cls(
            ids=list(table.segment_ids),
            systems=table.systems,
            hypotheses=[list(corpus.hypotheses) for corpus in suite],
            references=list(first.references),
            sources=None if first.sources is None else list(first.sources),
            scores=scores,
            traces=traces,
        )

    def data(self) -> dict[str, Any]:
        """What the page's script reads."""
        return {
            "ids": list(self.ids),
            "systems": list(self.systems),
            "metrics": [
                {"name": s.name, "digits": s.digits, "higher": s.higher_is_better}
                for s in self.scores
            ],
            "hypotheses": self.hypotheses,
            "references": self.references,
            "sources": self.sources,
            "scores": [
                [_rounded(s.values[k], s.digits) for s in self.scores]
                for k in range(len(self.systems))
            ],
            "traces": {f"trace{i}": found for i, found in enumerate(self.traces.values())},
        }

    def html(self, identifier: str) -> str:
        """The controls; `identifier` is of the element with the data."""
        metrics = [(str(i), s.name) for i, s in enumerate(self.scores)]
        systems = [(str(i), name) for i, name in enumerate(self.systems)]
        sorts = [("position", "position"), ("length", "length")]
        if metrics:
            sorts.append(("score", "score"))
        if metrics and len(systems) > 1:
            sorts.append(("difference", "difference of two systems"))
        ways = [("edits", "edits of words"), ("none", "nothing")]
        ways += [(f"trace{i}", f"as {name} sees it") for i, name in enumerate(self.traces)]
        hidden = "" if metrics else " hidden"
        boxes = "".join(
            f'<label><input type="checkbox" name="system{i}" checked>{escape(name)}</label>'
            for i, name in systems
        )
        other = f"against{_select('against', systems[-1:] + systems[:-1])}"
        return (
            f'<div class="browser" data-segments="{identifier}"><form class="controls">'
            '<label>search<input type="search" name="search"></label>'
            f"<label>words{_range('shortest', 'longest')}</label>"
            f"<label{hidden}>metric{_select('metric', metrics)}</label>"
            f"<label{hidden}>of{_select('system', [('any', 'mean of shown'), *systems])}</label>"
            f"<label{hidden}>score{_range('lowest', 'highest')}</label>"
            f"<label>sort by{_select('sort', sorts)}</label>"
            f"<label>direction{_select('direction', [('up', 'upwards'), ('down', 'downwards')])}"
            f"</label><label{'' if len(sorts) > 3 else ' hidden'}>{other}</label>"
            f"<label>highlight{_select('highlight', ways)}</label>"
            f"<fieldset{'' if len(systems) > 1 else ' hidden'}><legend>show</legend>{boxes}"
            '</fieldset></form><p class="key said"><mark>changed</mark> <ins>added</ins> '
            '<del>missing</del> <span class="run">matched</span></p>'
            f'{_PAGER}<div class="list"></div>{_PAGER}'
            "<noscript><p>The segments need JavaScript.</p></noscript></div>"
        )


_PAGER = (
    '<div class="pager"><button type="button" data-turn="-1" aria-label="previous">←</button>'
    '<output></output><button type="button" data-turn="1" aria-label="next">→</button></div>'
)


def _select(name: str, options: Sequence[tuple[str, str]]) -> str:
    inner = "".join(f'<option value="{value}">{escape(text)}</option>' for value, text in options)
    return f'<select name="{name}">{inner}</select>'


def _range(low: str, high: str) -> str:
    field = '<input type="number" step="any" name="{}" aria-label="{}" placeholder="{}">'
    ends = field.format(low, low, "from") + field.format(high, high, "to")
    return f'<span class="pair">{ends}</span>'


def _digits(scale: float) -> int:
    """Two on a scale of 100, as scores are printed."""
    return 2 + max(0, round(2 - float(np.log10(scale))))


def _rounded(values: Floats, digits: int) -> list[float | None]:
    return [v if np.isfinite(v) else None for v in np.round(values, digits + 1).tolist()]


def _traces(metric: Metric, corpus: Corpus) -> list[Any]:
    """One for each segment; none if the metric does not look at words."""
    if (corpus.references.counts == 0).any() or metric.trace("a", "a") is None:
        return []
    texts = zip(corpus.hypotheses, corpus.references, strict=True)
    return [_packed(explain(hyp, refs, [metric])[0].trace) for hyp, refs in texts]


def _packed(trace: Trace) -> list[Any]:
    """Words of both sides, and either a letter for each edit or the runs of matches: where they
    start in the hypothesis and in the reference, and how long they are.
    """
    words = [_joined(trace.hyp), _joined(trace.ref)]
    if isinstance(trace, Edits):
        return [*words, "".join(_LETTERS[edit.operation] for edit in trace.script)]
    return [*words, [(run[0].hyp, run[0].ref, len(run)) for run in trace.runs()]]


def _joined(words: Sequence[str]) -> str | Sequence[str]:
    return words if any(" " in word for word in words) or not words else " ".join(words)
