"""What is done to every part of a stream, whoever does it: count, score, write segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from nlgauge.core.exact.counts import Counts, merged_counts
from nlgauge.core.failures import guarded
from nlgauge.core.metric import Metric
from nlgauge.core.rows import rows_of_all
from nlgauge.data.corpus import Corpus, Suite
from nlgauge.data.run_context import RunContext
from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.run.streams.scores import StreamScores

# What metrics counted, by metric and system; "" is what all systems share.
CountTables = dict[tuple[str, str], Counts]


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoringJob:
    """A job is sent once to every process that scores; it knows nothing of engines and files."""

    metrics: Mapping[str, Metric]
    systems: tuple[str, ...]  # which all parts have, in this order
    counts: CountTables = field(default_factory=dict)
    resamples: int = 0
    seed: int = 0
    threads: int = 1
    context: RunContext = RunContext()

    def __getstate__(self) -> dict[str, Any]:
        """Leave behind what was settled: it is not made for travelling, unlike the counts."""
        return {name: value for name, value in vars(self).items() if name != "_states"}

    @cached_property
    def _states(self) -> dict[tuple[str, str], Any]:
        counted = {name for name, _ in self.counts}
        nothing = {(name, ""): None for name in self.metrics if name not in counted}
        found = {}
        for (name, system), counts in {**nothing, **self.counts}.items():
            with guarded(self.metrics[name], "fit"):
                found[name, system] = self.metrics[name].settle(counts)
        return found

    def empty(self) -> StreamScores:
        """Return scores of no segment yet."""
        return StreamScores(self.metrics, self.resamples, self.seed)

    def rows(self, corpus: Corpus) -> list[Floats]:
        """Compute the rows of one system by all metrics."""
        fitted = []
        for name, metric in self.metrics.items():
            metric.check_inputs(corpus)
            own = (name, corpus.name)
            fitted.append((metric, self._states[own if own in self._states else (name, "")]))
        return rows_of_all(fitted, corpus, threads=self.threads)

    def score(self, suite: Suite, scores: StreamScores, first: int) -> dict[str, list[Floats]]:
        """Add the scores of some segments, and return those of each segment, on the printed scale:
        for every system one column a metric.
        """
        if tuple(suite.systems) != self.systems:
            raise DataError(
                f"the systems are {', '.join(suite.systems)} here, and {', '.join(self.systems)} "
                "before; all parts need the same, in the same order"
            )
        rows = {corpus.name: self.rows(corpus) for corpus in suite.within(self.context)}
        scores.add(suite, rows, first)
        return {
            system: [
                metric.score(table) * metric.info.scale
                for metric, table in zip(self.metrics.values(), tables, strict=True)
            ]
            for system, tables in rows.items()
        }

    def counting(self) -> dict[str, Metric]:
        """Return the metrics that may count something before they score."""
        plain = Metric.count_part
        return {n: m for n, m in self.metrics.items() if type(m).count_part is not plain}

    def count(self, suite: Suite) -> CountTables:
        """Count what metrics must know of all parts before any is scored."""
        found: CountTables = {}
        for name, metric in self.counting().items():
            for corpus in suite.within(self.context):
                key = (name, corpus.name if metric.counts_hypotheses() else "")
                if key not in found:
                    with guarded(metric, "fit"):
                        found[key] = metric.count_part(corpus)
        return {key: counts for key, counts in found.items() if counts is not None}


def merge_tables(left: CountTables, right: CountTables) -> CountTables:
    """Return what was counted in two parts; the tables of the first may be used for it."""
    for key, counts in right.items():
        left[key] = merged_counts(left.get(key), counts)
    return left


def numbered(suites: Iterator[Suite], first: int) -> Iterator[tuple[int, Suite]]:
    """Yield suites with the number that the first segment of each has in the stream."""
    for suite in suites:
        yield first, suite
        first += len(suite)
