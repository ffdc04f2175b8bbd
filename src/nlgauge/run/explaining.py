"""Explain a segment of a data frame or of a table of scores, by its id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from nlgauge.core import registry
from nlgauge.core.table import ScoreTable
from nlgauge.data.corpus import Suite
from nlgauge.errors import SpecError
from nlgauge.explain.explanation import Explanations, explain
from nlgauge.run.frame_shapes import as_frame


def explain_segment(
    given: Any,
    segment: str | int = 1,
    metrics: registry.Metrics | None = None,
    *,
    systems: str | Sequence[str] | None = None,
    reference: int | None = None,
    **columns: Any,
) -> Explanations:
    """Explain what `systems` (by default all) made of a segment, by its id or its number from 1.

    `given` is what `nlgauge.score` returned, whose metrics are the default; a suite; or a data
    frame, of which `hypothesis`, `references`, `system`, `id` and `source` name the columns.

    >>> table = nlgauge.score(["the cat sat"], ["the cat sat down"], metrics="ter")
    >>> print(nlgauge.explain_segment(table, 1))
    ter 25.00  system, segment 1, against reference 1
      hypothesis  the cat sat ·
      reference   the cat sat down
                              D
      0 substituted, 1 deleted, 0 inserted
      ter|nrefs:1|rev:2|nlgauge:0.1.0
    """
    rows = as_frame(given, columns)
    if rows is not None:
        from nlgauge.run.data_frames import DataFrame

        suite: Suite | None = DataFrame.read(rows, **columns).suite()
    else:
        suite = given.suite if isinstance(given, ScoreTable) else given
    if not isinstance(suite, Suite):
        raise SpecError(
            "explain_segment takes a data frame, or a table of scores that was made from texts; "
            "texts alone are explained by nlgauge.explain.explain"
        )
    if metrics is None:
        table = given if isinstance(given, ScoreTable) else None
        metrics = [c.metric for c in table.columns] if table else ("bleu", "ter")
    return explain_suite(suite, str(segment), metrics, systems=systems, reference=reference)


def explain_suite(
    suite: Suite,
    segment: str,
    metrics: registry.Metrics,
    *,
    systems: str | Sequence[str] | None = None,
    reference: int | None = None,
    source: str | None = None,
) -> Explanations:
    """Explain the outputs of systems for one segment; `source` is for texts without sources."""
    found = Explanations()
    for name in [systems] if isinstance(systems, str) else systems or suite.systems:
        if name not in suite.systems:
            raise SpecError(f"no system {name!r}; there are {', '.join(suite.systems)}")
        corpus = suite.systems[name]
        i = corpus.find(segment)
        own = explain(
            corpus.hypotheses[i],
            corpus.references[i],
            metrics,
            reference=reference,
            source=source if corpus.sources is None else corpus.sources[i],
            turns=None if corpus.contexts is None else corpus.contexts.spoken(i),
            table=None if corpus.tables is None else corpus.tables[i],
            context=corpus.context,
            fit_on=corpus,
        )
        called = f"{name}, {corpus.segment_name(i)}"
        found += [replace(explanation, of=called) for explanation in own]
    return found
