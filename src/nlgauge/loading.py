"""Metrics in the shape of Hugging Face's `evaluate`: load, add batches, compute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nlgauge import registry
from nlgauge.data import Corpus
from nlgauge.errors import DataError
from nlgauge.metric import Metric

References = Sequence[str] | Sequence[Sequence[str]]


class LoadedMetric:
    """A metric that collects predictions and references until `compute`."""

    def __init__(self, metric: Metric) -> None:
        self.metric = metric
        self._predictions: list[str] = []
        self._references: list[str | Sequence[str]] = []

    def add(self, *, prediction: str, reference: str | Sequence[str]) -> None:
        """Add one prediction with its reference or references."""
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions: Sequence[str], references: References) -> None:
        """Add predictions, and for each a reference or a list of references."""
        if len(predictions) != len(references):
            raise DataError(f"{len(predictions)} predictions but {len(references)} references")
        self._predictions.extend(predictions)
        self._references.extend(references)

    def compute(
        self,
        *,
        predictions: Sequence[str] | None = None,
        references: References | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """The score of all that was added or given here: `{"score": ..., parts ...}`.

        Options of the metric may be given too and hold for this call. What was added is used up.
        """
        if (predictions is None) != (references is None):
            raise DataError("give both predictions and references, or neither")
        if predictions is not None and references is not None:
            self.add_batch(predictions=predictions, references=references)
        refs = [[r] if isinstance(r, str) else list(r) for r in self._references]
        predictions = self._predictions
        self._predictions, self._references = [], []
        metric = registry.changed(self.metric, options)
        return metric.evaluate(Corpus.build(predictions, refs)).to_dict()


def load(spec: str, **options: Any) -> LoadedMetric:
    """A metric by name, spec or signature, ready to `compute`."""
    return LoadedMetric(registry.metric(spec, **options))
