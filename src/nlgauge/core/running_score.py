"""Score batch by batch, as training loops do: update, compute, reset, and merge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlgauge.core import registry
from nlgauge.core.metric import Metric, Score, totals
from nlgauge.core.rows import rows_of_all
from nlgauge.data.contexts import Context
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats


@dataclass(frozen=True)
class _Batch:
    """The statistics of one batch, by metric; its texts where a metric must see all of them."""

    rows: dict[str, Floats]
    corpus: Corpus | None


class RunningScore:
    """Scores of all texts that were seen since the last reset.

    What is kept are statistics, not texts, but for metrics that look at a whole test set, such as
    CIDEr. Batches, their order, and how they were divided between processes show in no number.

    >>> running = nlgauge.RunningScore(["ter"])
    >>> running.update(["a cat"], ["the cat"])
    >>> running.update(["a dog"], ["a dog"])
    >>> running.compute()
    {'ter': 25.0}
    """

    def __init__(self, metrics: registry.Metrics = "bleu", *, threads: int = 1) -> None:
        self.metrics = {
            given if isinstance(given, str) else registry.spec(given): registry.metric(given)
            if isinstance(given, str)
            else given
            for given in registry.listed(metrics)
        }
        self._threads = threads
        self._batches: list[_Batch] = []

    def update(self, hypotheses: Iterable[str], references: Any = None, **columns: Any) -> None:
        """Add a batch; arguments are those of `Corpus.build`."""
        corpus = Corpus.build(hypotheses, references, **columns)
        for metric in self.metrics.values():
            metric.check_inputs(corpus)
        direct = [name for name, metric in self.metrics.items() if not sees_whole_set(metric)]
        fitted = [(self.metrics[name], None) for name in direct]
        computed = rows_of_all(fitted, corpus, threads=self._threads)
        whole = corpus if len(direct) < len(self.metrics) else None
        self._batches.append(_Batch(dict(zip(direct, computed, strict=True)), whole))

    def merge(self, other: RunningScore) -> None:
        """Add what another one has seen, such as in another process; it keeps its own."""
        if self.metrics != other.metrics:
            raise SpecError(
                f"scores by {', '.join(self.metrics)} cannot be merged with those by "
                f"{', '.join(other.metrics)}; give both the same metrics"
            )
        self._batches += other._batches

    def reset(self) -> None:
        """Forget all that was seen."""
        self._batches = []

    def scores(self) -> dict[str, Score]:
        """Return the score of all texts by each metric, with its signature and parts."""
        if not self._batches:
            raise DataError("nothing to compute a score of; call update with texts first")
        found = {}
        for name, metric in self.metrics.items():
            rows = np.vstack(self._rows(name, metric))
            found[name] = metric.scored(totals(rows), metric.signature())
        return found

    def compute(self) -> dict[str, float]:
        """Return the score of all texts by each metric, on the printed scale."""
        return {name: score.score for name, score in self.scores().items()}

    def __len__(self) -> int:
        """Return how many texts were seen."""
        return sum(
            len(b.corpus) if b.corpus is not None else len(next(iter(b.rows.values())))
            for b in self._batches
        )

    def _rows(self, name: str, metric: Metric) -> list[Floats]:
        if not sees_whole_set(metric):
            return [batch.rows[name] for batch in self._batches]
        corpora = [batch.corpus for batch in self._batches if batch.corpus is not None]
        return [metric.rows(_joined(corpora), threads=self._threads)]


def sees_whole_set(metric: Metric) -> bool:
    """Return whether a metric must know all texts before it scores one."""
    return any(type(term).fit is not Metric.fit for term in (metric, *metric.terms()))


def _joined(corpora: list[Corpus]) -> Corpus:
    names = ("sources", "tables", "annotations")
    contexts = [corpus.contexts for corpus in corpora if corpus.contexts is not None]
    columns: dict[str, Any] = {
        name: [value for corpus in corpora for value in getattr(corpus, name)]
        for name in names
        if all(getattr(corpus, name) is not None for corpus in corpora)
    }
    return Corpus.build(
        [text for corpus in corpora for text in corpus.hypotheses],
        [refs for corpus in corpora for refs in corpus.references],
        contexts=Context.join(contexts) if len(contexts) == len(corpora) else None,
        **columns,
    )
