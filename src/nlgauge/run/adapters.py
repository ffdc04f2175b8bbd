"""Offer metrics to other libraries: Hugging Face's evaluate, torchmetrics, lm-evaluation-harness.

None of them is needed, and each is imported by the function that serves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from nlgauge.core import registry
from nlgauge.core.metric import Metric, totals
from nlgauge.core.running_score import sees_whole_set
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError, ResourceMissing, SpecError


def as_evaluate(metric: str | Metric) -> Any:
    """Return an `evaluate.Metric`, which `evaluate.combine` and trainers take: it is given
    predictions and a reference, or a list of references, for each.
    """
    evaluate, datasets = _library("evaluate"), _library("datasets")
    own = _metric(metric)
    name = registry.spec(own)
    text, texts = datasets.Value("string"), datasets.Sequence(datasets.Value("string"))

    class EvaluateModule(evaluate.Metric):  # type: ignore[name-defined, misc]
        """A metric of nlgauge with the calls of evaluate."""

        def _info(self) -> Any:
            return evaluate.MetricInfo(
                description=own.description(),
                citation=own.info.paper,
                inputs_description="predictions and references",
                features=[
                    datasets.Features({"predictions": text, "references": kind})
                    for kind in (texts, text)
                ],
            )

        def _compute(self, *, predictions: Any, references: Any) -> dict[str, Any]:
            score = own.evaluate(Corpus.build(predictions, references))
            return {name: score.score, f"{name}_signature": score.signature}

    return EvaluateModule()


def as_torchmetric(metric: str | Metric) -> Any:
    """Return a `torchmetrics.Metric`: update(predictions, references), compute(), reset(). Its
    state are statistics, which torchmetrics gathers from all processes.
    """
    torchmetrics, torch = _library("torchmetrics"), _library("torch")
    own = _metric(metric)
    if sees_whole_set(own):
        raise SpecError(
            f"{own.info.name} looks at the whole test set at once; use nlgauge.RunningScore, which "
            "keeps the texts"
        )

    class TorchModule(torchmetrics.Metric):  # type: ignore[name-defined, misc]
        """A metric of nlgauge with the calls of torchmetrics."""

        full_state_update = False
        higher_is_better = own.info.higher_is_better

        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            self.add_state("rows", default=[], dist_reduce_fx="cat")

        def update(self, preds: Sequence[str], target: Any) -> None:
            """Add the statistics of a batch."""
            corpus = Corpus.build(preds, target)
            own.check_inputs(corpus)
            self.rows.append(torch.from_numpy(np.ascontiguousarray(own.rows(corpus))))

        def compute(self) -> Any:
            """Return the score of all batches, on the printed scale."""
            rows = torch.vstack(list(self.rows)) if isinstance(self.rows, list) else self.rows
            value = float(own.score(totals(rows.cpu().numpy())))
            return torch.tensor(value * own.info.scale, dtype=torch.float64)

    return TorchModule()


def register_in_lm_eval(*metrics: str | Metric) -> list[str]:
    """Register metrics for the `metric_list` of lm-evaluation-harness's tasks, as metric and as
    aggregation, and return the names they have there: nlgauge_bleu.

    A task whose documents have several targets needs a `process_results` of its own, which returns
    `{"nlgauge_bleu": (references, prediction)}`.
    """
    # Its own metrics first: it loads them only where none is registered yet.
    _library("lm_eval.api.metrics")
    known = _library("lm_eval.api.registry")
    names = []
    for own in map(_metric, metrics):
        name = f"nlgauge_{own.info.name.replace('-', '_')}"

        aggregation = _Aggregation(own, name)
        try:
            known.register_aggregation(name)(aggregation)
        except ValueError:
            raise SpecError(
                f"{name} is registered with other options already; only one {own.info.name} can be"
            ) from None
        known.register_metric(
            metric=name,
            higher_is_better=own.info.higher_is_better,
            output_type="generate_until",
            aggregation=name,
        )(_passed_on)
        names.append(name)
    return names


@dataclass(frozen=True)
class _Aggregation:
    """The score of all pairs of references and prediction; the same metric is the same one."""

    metric: Metric
    __name__: str

    def __call__(self, items: Sequence[tuple[Any, str]]) -> float:
        if not all(isinstance(item, list | tuple) and len(item) == 2 for item in items):
            raise DataError(
                f"{self.metric.info.name}: lm-evaluation-harness makes numbers of documents with "
                "several targets before they come here; give the task a process_results that "
                "returns {metric: (references, prediction)}"
            )
        refs = [[r] if isinstance(r, str) else list(r) for r, _ in items]
        return self.metric.evaluate(Corpus.build([hyp for _, hyp in items], refs)).score


def _passed_on(items: Any) -> Any:
    """Return one document's pair as it is; the aggregation scores all of them."""
    return items


def _metric(given: str | Metric) -> Metric:
    return registry.metric(given) if isinstance(given, str) else given


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        package = "lm-eval" if name.startswith("lm_eval") else name
        raise ResourceMissing(
            f"{package} is not installed", remedy=f"pip install {package}"
        ) from None
