"""Offer metrics in the shape of Hugging Face's `evaluate`: load, add batches, compute."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nlgauge.core import registry
from nlgauge.core.metric import Metric
from nlgauge.data import columns
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError
from nlgauge.run import evaluate_modules


class Collector(ABC):
    """A collector gathers predictions and references until `compute` is called."""

    def __init__(self) -> None:
        self._predictions: list[str] = []
        self._references: list[Any] = []

    def add(self, *, prediction: str, reference: str | Iterable[str]) -> None:
        """Add one prediction with its reference or references."""
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(
        self, *, predictions: Iterable[str], references: Iterable[str] | Iterable[Iterable[str]]
    ) -> None:
        """Add predictions, and for each a reference or a list of references."""
        hyps = columns.entries("predictions", predictions)
        refs = columns.nested_entries("references", references)
        if len(hyps) != len(refs):
            raise DataError(f"{len(hyps)} predictions but {len(refs)} references")
        self._predictions.extend(hyps)
        self._references.extend(refs)

    def compute(
        self,
        *,
        predictions: Iterable[str] | None = None,
        references: Iterable[str] | Iterable[Iterable[str]] | None = None,
        **options: Any,
    ) -> Any:
        """Return the score of all that was added or given here, and use it up.

        It is a dictionary, but for evaluate's wer and cer, which are numbers. Options may be given
        too and hold for this call.
        """
        if (predictions is None) != (references is None):
            raise DataError("give both predictions and references, or neither")
        if predictions is not None and references is not None:
            self.add_batch(predictions=predictions, references=references)
        refs = [[r] if isinstance(r, str) else r for r in self._references]
        hyps = self._predictions
        self._predictions, self._references = [], []
        return self._scored(hyps, refs, options)

    @abstractmethod
    def _scored(
        self, predictions: list[str], references: list[Sequence[str]], options: Mapping[str, Any]
    ) -> dict[str, Any] | float:
        """Return the result of all texts."""


class LoadedMetric(Collector):
    """A loaded metric computes `{"score": ..., "signature": ..., parts ...}`."""

    def __init__(self, metric: Metric) -> None:
        super().__init__()
        self.metric = metric

    def _scored(
        self, predictions: list[str], references: list[Sequence[str]], options: Mapping[str, Any]
    ) -> dict[str, Any]:
        metric = registry.changed(self.metric, options)
        return metric.evaluate(Corpus.build(predictions, references)).to_dict()


class LoadedModule(Collector):
    """A loaded module computes what evaluate's module of that name does."""

    def __init__(self, name: str, options: Mapping[str, Any]) -> None:
        super().__init__()
        evaluate_modules.check_options(name, options)
        self.name, self.options = name, dict(options)

    def _scored(
        self, predictions: list[str], references: list[Sequence[str]], options: Mapping[str, Any]
    ) -> dict[str, Any] | float:
        evaluate_modules.check_options(self.name, options)
        module = evaluate_modules.MODULES[self.name]
        return module(predictions, references, **{**self.options, **options})


def load(spec: str, **options: Any) -> LoadedMetric | LoadedModule:
    """Return a metric by name, spec or signature, ready to `compute`.

    A name that evaluate has (rouge, bleu, sacrebleu, chrf, ter, meteor, google_bleu, bertscore,
    wer, cer, exact_match) means evaluate's module, with its keys and defaults. Our metric of that
    name is `load("bleu()")`.

    >>> found = nlgauge.load("rouge").compute(predictions=["a cat"], references=["a cat"])
    >>> found["rougeL"]
    1.0
    >>> found = nlgauge.load("ter(normalized=yes)").compute(predictions=["cat"], references=["dog"])
    >>> found["score"]
    100.0
    """
    if spec in evaluate_modules.MODULES:
        return LoadedModule(spec, options)
    return LoadedMetric(registry.metric(spec, **options))
