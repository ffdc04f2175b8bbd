"""Gauge: our own metric of metrics, the best estimate of what people would say."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.metrics.trained.blend import LEXICAL, match_features
from nlgauge.metrics.trained.feature_model import LearnedMetric
from nlgauge.metrics.trained.features import Feature
from nlgauge.models.predictors.ensemble_predictor import EnsemblePredictor

Inputs = Literal["all", "shared"]
CROSS = ("bert-mte", "bleurt")  # networks that read both texts at once


@dataclass(frozen=True, kw_only=True)
class Gauge(LearnedMetric):
    """What people would say of a text, estimated from lexical scores, the statistics of BERTScore's
    matches, the similarity of sentences, and two networks that read both texts at once.

    A linear model and a support vector regression say what they think of all but the networks, and
    the means of both sides count. With `inputs=shared`, each text is encoded once and the networks
    are left out, which takes a third of the time.
    """

    info: ClassVar[Info] = Info(
        name="gauge",
        title="Gauge",
        family="trained",
        cell="CF·T·feature",
        tasks=("MT",),
        criteria=("adequacy", "overall"),
        bounds=(float("-inf"), float("inf")),
        scale=1.0,
        extras=("neural",),
        paper="of nlgauge itself",
        checked_against="hand calculation from the numbers of its file",
    )
    predictor_class: ClassVar[type[EnsemblePredictor]] = EnsemblePredictor

    inputs: Inputs = option("all", "what is looked at; shared: what one pass of the encoder gives")

    def looked_at(self) -> list[Feature]:
        """Return lexical scores, match statistics, the cosine of sentences, and networks."""
        return list(_features(self.inputs))

    def shipped(self) -> str:
        """Return the name of the file of these inputs."""
        return f"gauge-{self.inputs}"


@cache
def _features(inputs: Inputs) -> tuple[Feature, ...]:
    from nlgauge.core import registry

    found: list[Feature] = [(registry.metric(spec), None) for spec in LEXICAL]
    found += [*match_features(), (registry.metric("simile"), "sim")]
    return (*found, *((registry.metric(name), None) for name in CROSS if inputs == "all"))
