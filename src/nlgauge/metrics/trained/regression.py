"""A linear model of judgements as a metric (the recipe of Bangalore, Rambow & Whittaker, 2000)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.metric import Info, Mean, Metric
from nlgauge.core.options import option
from nlgauge.core.resources import digest, read_resource
from nlgauge.data.corpus import Corpus
from nlgauge.errors import SpecError
from nlgauge.io.json_text import parse_json
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.linear import LinearModel, values_of


@dataclass(frozen=True, kw_only=True)
class Regression(Mean[list[object]]):
    """What a model says that people would say of a text, 1 for a perfect one; the model is a file
    that `nlgauge regress --save` wrote.
    """

    info: ClassVar[Info] = Info(
        name="regression",
        title="Linear model of judgements",
        family="trained",
        cell="CF·T·feature",
        tasks=("NLG",),
        criteria=("understandability", "well-formedness"),
        bounds=(float("-inf"), float("inf")),
        scale=1.0,
        paper="Bangalore et al. (2000), Evaluation metrics for generation",
        checked_against="hand calculation; coefficients against statsmodels 0.14",
    )

    path: str | None = option(None, "the model's file; it cannot score without one")

    def model(self) -> LinearModel:
        """Read the model from its file."""
        if self.path is None:
            raise SpecError(
                "regression: no model is given; write regression(path=FILE), with a file made by: "
                "nlgauge regress --save FILE"
            )
        return _read(self.path, read_resource("path", self.path))

    def _metrics(self) -> list[Metric]:
        """Return the metric of each term."""
        from nlgauge.core import registry

        terms = self.model().terms
        try:
            found = [registry.metric(term.metric) for term in terms]
        except SpecError as error:
            raise SpecError(f"{self.path}: {error}") from None
        if any(isinstance(metric, Regression) for metric in found):
            raise SpecError(f"{self.path}: a model cannot be a term of a model")
        return found

    def terms(self) -> tuple[Metric, ...]:
        """Return the metrics of the model."""
        return tuple(dict.fromkeys(self._metrics()))

    def resources(self) -> dict[str, str]:
        """Name the file, by its content, and what its terms need."""
        if self.path is None:
            return {}
        inner = {k: v for metric in self._metrics() for k, v in metric.resources().items()}
        return {**inner, "path": digest("path", self.path)}

    def check_resources(self) -> None:
        """Refuse to start without a model, or what its terms need."""
        for metric in self._metrics():
            metric.check_resources()

    def check_inputs(self, corpus: Corpus) -> None:
        """Refuse a corpus that lacks what the terms look at."""
        for metric in self._metrics():
            metric.check_inputs(corpus)

    def fit(self, corpus: Corpus) -> list[object]:
        """Return what the terms' metrics depend on."""
        return [metric.fitted(corpus) for metric in self._metrics()]

    def segment_rows(self, corpus: Corpus, state: list[object], *, threads: int) -> Floats:
        """Compute the columns: the score, 1, the terms."""
        model, metrics = self.model(), self._metrics()
        computed: dict[Metric, Floats] = {}
        values = []
        for term, metric, fitted in zip(model.terms, metrics, state, strict=True):
            if metric not in computed:
                computed[metric] = metric.rows(corpus, fitted, threads=threads)
            values.append(values_of(metric, term.part, computed[metric]))
        terms = np.column_stack(values)
        return np.column_stack([model.predict(terms), np.ones(len(corpus)), terms])

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the means of the terms."""
        terms = self.model().terms
        names = [f"{t.metric.partition('|')[0]}{'.' + t.part if t.part else ''}" for t in terms]
        means = (totals[2:] / max(totals[1], 1)).tolist()
        return dict(zip(names, means, strict=True))


@lru_cache(maxsize=8)
def _read(path: str, content: bytes) -> LinearModel:
    return LinearModel.from_record(parse_json(content, path, lines=True), path)
