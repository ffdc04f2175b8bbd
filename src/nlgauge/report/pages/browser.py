"""Show the segments of a report: texts and scores of all systems, to filter, sort and compare.

The page holds them as compact JSON and makes what is visible when it is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nlgauge.core.metric import Metric, decimals
from nlgauge.core.outputs import Outputs, OutputScores
from nlgauge.core.table import Column, ScoreTable
from nlgauge.data.corpus import Corpus, Suite
from nlgauge.data.labels import Labels
from nlgauge.explain.explanation import best_trace, trace_of
from nlgauge.explain.traces import Alignment, Edits, MarkedText
from nlgauge.kernels import Floats
from nlgauge.report.pages.browser_controls import controls

MOST_TRACED = 1_000_000  # bytes × metrics that get the metrics' own comparisons, which take room
MOST_SYSTEMS = 60  # that can be chosen one by one
_LETTERS = {"match": "=", "substitute": "S", "delete": "D", "insert": "I"}


@dataclass(frozen=True, eq=False, kw_only=True)
class BrowserScores:
    """These are one metric's (or annotator's) scores of all outputs; NaN where there is none."""

    name: str
    values: Floats  # [systems, segments]
    digits: int = 2
    higher_is_better: bool = True


@dataclass(frozen=True, eq=False, kw_only=True)
class SegmentBrowser:
    """A browser holds texts and scores by system and segment; None where a system has no output."""

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
        """Show everything that was scored; with the metrics' own comparisons if they are few."""
        first = next(iter(suite))
        scores = [
            BrowserScores(
                name=column.name,
                values=np.stack([table.segment_scores(s, column.name) for s in table.systems]),
                digits=decimals(column.metric.info.scale),
                higher_is_better=column.metric.info.higher_is_better,
            )
            for column in table.columns
        ]
        return cls(
            ids=list(table.segment_ids),
            systems=table.systems,
            hypotheses=[list(corpus.hypotheses) for corpus in suite],
            references=list(first.references),
            sources=None if first.sources is None else list(first.sources),
            scores=scores,
            traces=dict(_all_traces(table.columns, list(suite))),
        )

    @classmethod
    def of_outputs(
        cls,
        outputs: Outputs,
        scores: OutputScores,
        human: Mapping[str, Floats] | None = None,
        marks: Mapping[str, Sequence[MarkedText | None]] | None = None,
    ) -> SegmentBrowser:
        """Show outputs of which not every system has every item.

        `human` are ratings by criterion, `marks` errors by annotator, [outputs] each. Where there
        are too many systems to choose from, every output is a segment.
        """
        if len(outputs.systems.names) > MOST_SYSTEMS:
            pairs = zip(outputs.items, outputs.systems, strict=True)
            items = Labels.build(f"{item} · {system}" for item, system in pairs)
            systems = Labels.build(["output"] * len(outputs))
            outputs = replace(outputs, items=items, systems=systems)
            scores = replace(scores, items=items, systems=systems)
        texts, items, systems = outputs.corpus, outputs.items, outputs.systems
        rows = {
            (s, i): row for row, (s, i) in enumerate(zip(systems.codes, items.codes, strict=True))
        }
        first = {item: row for row, item in reversed(list(enumerate(items.codes)))}
        any_row = [first[i] for i in range(len(items.names))]
        columns = [
            BrowserScores(
                name=column.name,
                values=scores.grid(scores.segment_scores(column.name)),
                digits=decimals(column.metric.info.scale),
                higher_is_better=column.metric.info.higher_is_better,
            )
            for column in scores.columns
        ]
        columns += [
            BrowserScores(name=name, values=scores.grid(values))
            for name, values in (human or {}).items()
        ]

        def placed(by_row: Sequence[Any]) -> list[list[Any]]:
            every = range(len(any_row))
            return [
                [by_row[rows[s, i]] if (s, i) in rows else None for i in every]
                for s in range(len(systems.names))
            ]

        traces = {name: found for name, (found,) in _all_traces(scores.columns, [texts])}
        traces |= {name: [*map(_packed_marks, found)] for name, found in (marks or {}).items()}
        return cls(
            ids=items.names,
            systems=systems.names,
            hypotheses=placed(list(texts.hypotheses)),
            references=[texts.references[row] for row in any_row],
            sources=None if texts.sources is None else [texts.sources[row] for row in any_row],
            scores=columns,
            traces={name: placed(found) for name, found in traces.items()},
        )

    def data(self) -> dict[str, Any]:
        """Return what the page's script reads."""
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
        """Return the controls and an empty list; `identifier` is of the element with the data."""
        shown = (trace for found in self.traces.values() for own in found for trace in own)
        return controls(
            identifier,
            self.systems,
            [s.name for s in self.scores],
            list(self.traces),
            marked=any(isinstance(trace, dict) for trace in shown),
        )


def _rounded(values: Floats, digits: int) -> list[float | None]:
    return [v if np.isfinite(v) else None for v in np.round(values, digits + 1).tolist()]


def _all_traces(
    columns: Sequence[Column], corpora: Sequence[Corpus]
) -> Iterator[tuple[str, list[list[Any]]]]:
    """Return the metrics' comparisons of all segments, as long as there is room."""
    size, made = sum(corpus.hypotheses.nbytes for corpus in corpora), 0
    for column in columns:
        # Characters one by one would not be readable.
        if column.metric.info.family != "character" and size * (made + 1) <= MOST_TRACED:
            found = [_traces(column.metric, corpus) for corpus in corpora]
            if found[0]:
                made += 1
                yield column.name, found


def _traces(metric: Metric, corpus: Corpus) -> list[Any]:
    """Return one comparison for each segment; none if the metric does not look at words."""
    if (own := metric.traces(corpus)) is not None:
        return [_packed_marks(t if isinstance(t, MarkedText) else None) for t in own]
    if not len(corpus) or (corpus.references.counts == 0).any():
        return []
    # Of these texts: where trees come from files, others have none.
    first = trace_of(metric, corpus.hypotheses[0], corpus.references[0][0])
    if not isinstance(first, (Alignment, Edits)):
        return []
    state = metric.fitted(corpus)
    traces = (best_trace(metric, corpus.take([i]), state) for i in range(len(corpus)))
    return [_packed(trace) for trace in traces if isinstance(trace, (Alignment, Edits))]


def _packed(trace: Alignment | Edits) -> list[Any]:
    """Return the words of both sides, and what was done to them.

    That is either a letter for each edit or the runs of matches: where they start in the hypothesis
    and in the reference, and how long they are.
    """
    words = [_joined(trace.hyp), _joined(trace.ref)]
    if isinstance(trace, Edits):
        return [*words, "".join(_LETTERS[edit.operation] for edit in trace.script)]
    return [*words, [(run[0].hyp, run[0].ref, len(run)) for run in trace.runs()]]


def _packed_marks(trace: MarkedText | None) -> dict[str, Any] | None:
    """Return a text in pieces with the severity of each, and errors that have no place in it."""
    if trace is None:
        return None
    lost = [error for error in trace.errors if error.place is None]
    missing = [", ".join(filter(None, (e.severity, e.category))) for e in lost]
    return {"pieces": trace.pieces(), "missing": missing}


def _joined(words: Sequence[str]) -> str | Sequence[str]:
    return words if any(" " in word for word in words) or not words else " ".join(words)
