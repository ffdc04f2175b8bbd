"""Metrics that are made of other metrics, whose scores and parts are their features."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlgauge.core.exact.counts import Counts
from nlgauge.core.metric import Mean, Metric
from nlgauge.core.rows import rows_of_all
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.linear import columns_of

Feature = tuple[Metric, str | None]  # a metric's score as it is printed, or one of its parts


@dataclass(frozen=True, kw_only=True)
class FeatureMetric(Mean[list[Any]]):
    """A metric whose score of a segment follows from the scores and parts of other metrics.

    A subclass says which (`features`), and what follows from them (`predicted`).
    """

    @abstractmethod
    def features(self) -> list[Feature]:
        """Return what is looked at, in the order of columns."""

    @abstractmethod
    def predicted(self, features: Floats) -> Floats:
        """Return the scores of segments: [segments, features] -> [segments]."""

    def terms(self) -> tuple[Metric, ...]:
        """Return the metrics that the features are of."""
        return tuple(dict.fromkeys(metric for metric, _ in self.features()))

    def resources(self) -> dict[str, str]:
        """Name what the metrics need that could change a number."""
        return {k: v for metric in self.terms() for k, v in metric.resources().items()}

    def check_resources(self) -> None:
        """Refuse to start without what the metrics need."""
        for metric in self.terms():
            metric.check_resources()

    def check_inputs(self, corpus: Corpus) -> None:
        """Refuse a corpus that lacks what the metrics look at, and to start without resources."""
        self.check_resources()
        for metric in self.terms():
            metric.check_inputs(corpus)

    def announce(self, corpus: Corpus) -> None:
        """Have texts encoded once for all metrics, whichever layers they look at."""
        for metric in self.terms():
            metric.announce(corpus)

    def fit(self, corpus: Corpus) -> list[Any]:
        """Return what the metrics depend on, as others in the run may have found it already."""
        return [metric.fitted(corpus) for metric in self.terms()]

    def count_part(self, part: Corpus) -> list[Counts]:
        """Count what each of the metrics does."""
        return [metric.count_part(part) for metric in self.terms()]

    def settle(self, counts: list[Counts]) -> list[Any]:
        """Return what the metrics depend on."""
        return [metric.settle(own) for metric, own in zip(self.terms(), counts, strict=True)]

    def counts_hypotheses(self) -> bool:
        """Return whether one of the metrics counts in hypotheses."""
        return any(metric.counts_hypotheses() for metric in self.terms())

    def whole_only(self) -> str:
        """Say which of the metrics cannot score parts of a corpus, and why."""
        reasons = ((metric.info.name, metric.whole_only()) for metric in self.terms())
        return "; ".join(f"{name}: {reason}" for name, reason in reasons if reason)

    def segment_rows(self, corpus: Corpus, state: list[Any], *, threads: int) -> Floats:
        """Compute the columns: the score, 1, the features."""
        features = feature_values(self.features(), self.terms(), state, corpus, threads=threads)
        return np.column_stack([self.predicted(features), np.ones(len(corpus)), features])

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the means of the features."""
        means = (totals[2:] / max(totals[1], 1)).tolist()
        return dict(zip(self.feature_names(), means, strict=True))

    def feature_names(self) -> list[str]:
        """Return the names of the features, as the parts are called."""
        return [feature_name(metric, part) for metric, part in self.features()]


def feature_name(metric: Metric, part: str | None) -> str:
    """Return a metric's name, and the part of it that is meant."""
    return metric.info.name if part is None else f"{metric.info.name}.{part}"


def feature_values(
    features: list[Feature],
    metrics: tuple[Metric, ...],
    states: list[Any],
    corpus: Corpus,
    *,
    threads: int,
) -> Floats:
    """Return the values of features, which are of these metrics with these states, by segment:
    float64[segments, features].
    """
    rows = rows_of_all(list(zip(metrics, states, strict=True)), corpus, threads=threads)
    values = np.empty((len(corpus), len(features)))
    for metric, computed in zip(metrics, rows, strict=True):
        own = [k for k, (term, _) in enumerate(features) if term == metric]
        values[:, own] = columns_of(metric, [features[k][1] for k in own], computed)
    return values
