"""Estimate what judges would ask and cost, before anything is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nlgauge.core import registry
from nlgauge.data.corpus import Corpus
from nlgauge.errors import SpecError
from nlgauge.metrics.judge.judge_metric import JudgeMetric
from nlgauge.models.judges.spending import JudgeEstimate
from nlgauge.run.scoring import named_metrics


@dataclass(frozen=True)
class EstimatedRun:
    """This is what one judge would take for the outputs of one system."""

    metric: str
    system: str
    estimate: JudgeEstimate


def judge_estimates(
    metrics: registry.Metrics,
    corpora: Sequence[Corpus],
    *,
    shared_options: Mapping[str, object] | None = None,
) -> list[EstimatedRun]:
    """Return an estimate for each judge among the metrics and each system."""
    named, _ = named_metrics(metrics, shared_options or {}, corpora[0])
    judges = {name: m for name, m in named.items() if isinstance(m, JudgeMetric)}
    if not judges:
        raise SpecError(f"none of {', '.join(named)} asks a server; there is nothing to estimate")
    return [
        EstimatedRun(name, corpus.name, metric.estimate(corpus))
        for name, metric in judges.items()
        for corpus in corpora
    ]
