"""A linear model of judgements as a metric (the recipe of Bangalore, Rambow & Whittaker, 2000)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.core.resources import digest, read_resource
from nlgauge.errors import SpecError
from nlgauge.io.json_text import parse_json
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.features import Feature, FeatureMetric
from nlgauge.metrics.trained.linear import LinearModel


@dataclass(frozen=True, kw_only=True)
class Regression(FeatureMetric):
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

    def features(self) -> list[Feature]:
        """Return the terms of the model."""
        from nlgauge.core import registry

        terms = self.model().terms
        try:
            found = [(registry.metric(term.metric), term.part) for term in terms]
        except SpecError as error:
            raise SpecError(f"{self.path}: {error}") from None
        if any(isinstance(metric, Regression) for metric, _ in found):
            raise SpecError(f"{self.path}: a model cannot be a term of a model")
        return found

    def feature_names(self) -> list[str]:
        """Return the terms as the model's file writes them, without options."""
        terms = self.model().terms
        return [f"{t.metric.partition('|')[0]}{'.' + t.part if t.part else ''}" for t in terms]

    def predicted(self, features: Floats) -> Floats:
        """Return what the model says of its terms."""
        return self.model().predict(features)

    def resources(self) -> dict[str, str]:
        """Name the file, by its content, and what its terms need."""
        if self.path is None:
            return {}
        return {**super().resources(), "path": digest("path", self.path)}


@lru_cache(maxsize=8)
def _read(path: str, content: bytes) -> LinearModel:
    return LinearModel.from_record(parse_json(content, path, lines=True), path)
