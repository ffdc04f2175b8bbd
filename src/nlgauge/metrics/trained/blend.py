"""BLEND (Ma et al., 2017): a support vector regression over the scores of many metrics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.metrics.contextual.bertscore import MATCH_STATISTICS
from nlgauge.metrics.trained.feature_model import LearnedMetric
from nlgauge.metrics.trained.features import Feature
from nlgauge.metrics.trained.sentence_columns import LAYERS
from nlgauge.models.predictors.kernel_predictor import KernelPredictor

Inputs = Literal["lexical", "match", "full"]
LEXICAL = (
    "sentbleu",
    "sentbleu(lowercase=yes)",
    "gtm(exponent=1)",
    "gtm(exponent=2)",
    "gtm(exponent=3)",
    "meteor-1.5(task=adq,modules=exact)",
    "meteor-1.5(task=adq,modules=exact:stem)",
    "meteor-1.5(task=adq)",
    "meteor-1.5",
    "meteor",
    "ol",
    "per",
    "wer",
    "cder",
    "ter",
    "ter(normalized=yes)",
    "ter(no_punct=yes)",
    "terp",
    "terp(profile=terph)",
    "rouge-n(order=1)",
    "rouge-n(order=2)",
    "rouge-n(order=3)",
    "rouge-n(order=4)",
    "rouge-l",
    "rouge-w",
    "rouge-s",
    "rouge-su",
    "beer",
    "character",
    "chrf",
    "chrf(word_order=2)",
    "eed",
    "cer",
    "yisi-0",
    "iter",
    "impact",
)
# Asiya's families CP, DP and SR, of which the published system has about as many.
STRUCTURAL = (
    "stm",
    "stm(profile=asiya)",
    "tkm",
    "cp-o(of=tags)",
    "cp-o(of=constituents)",
    "hwcm",
    "hwcm(unit=tags)",
    "hwcm(unit=relations)",
    "hwcm(profile=asiya)",
    "dstm",
    "dtkm",
    "dp-o(of=levels)",
    "dp-o(of=tags)",
    "dp-o(of=relations)",
    "dep-f",
    "dep-f(types=no)",
    "spice",
    "meant(similarity=exact)",
    "meant(similarity=substring)",
    "meant-2(similarity=substring)",
)
ALL_LAYERS = tuple(range(7))  # of MiniLM


@dataclass(frozen=True, kw_only=True)
class BLEND(LearnedMetric):
    """What a support vector regression, fitted to ratings, says of the scores of many metrics.

    Lexical inputs follow the light set of the published system; `full` adds metrics of syntax and
    of semantic roles, as the published one has, and needs their extras; `match` adds the
    statistics of BERTScore's matches at three layers, the similarity of sentences there, and what
    a linear model says of their vectors, all from the pass of the encoder that BERTScore needs.
    """

    info: ClassVar[Info] = Info(
        name="blend",
        title="BLEND",
        family="trained",
        cell="CF·T·feature",
        tasks=("MT",),
        criteria=("adequacy", "overall"),
        bounds=(float("-inf"), float("inf")),
        scale=1.0,
        paper="Ma et al. (2017), Blend: a novel combined MT metric based on direct assessment",
        revision=2,
        checked_against="LIBSVM through scikit-learn, on its own support vectors",
    )
    predictor_class: ClassVar[type[KernelPredictor]] = KernelPredictor

    inputs: Inputs = option(
        "lexical", "which metrics: lexical ones; these and matches of vectors; these and structures"
    )

    def looked_at(self) -> list[Feature]:
        """Return the scores of metrics, and matches by layer if these are asked for."""
        return list(_features(self.inputs))

    def reads_sentences(self) -> bool:
        """Return whether sentence vectors are looked at: with matches of vectors they are."""
        return self.inputs == "match"

    def shipped(self) -> str:
        """Return the name of the file of these inputs."""
        return f"blend-{self.inputs}"


@cache
def _features(inputs: Inputs) -> tuple[Feature, ...]:
    from nlgauge.core import registry

    specs = (*LEXICAL, *STRUCTURAL) if inputs == "full" else LEXICAL
    found: list[Feature] = [(registry.metric(spec), None) for spec in specs]
    return (*found, *layer_features(LAYERS)) if inputs == "match" else tuple(found)


def match_features() -> list[Feature]:
    """Return the statistics of BERTScore's matches at all layers, and the cosine of whole
    sentences.
    """
    from nlgauge.core import registry

    return [*layer_features(ALL_LAYERS), (registry.metric("simile"), "sim")]


def layer_features(layers: tuple[int, ...]) -> list[Feature]:
    """Return the statistics of BERTScore's matches at some layers."""
    from nlgauge.core import registry

    metric = registry.metric(f"bertscore(matches={':'.join(map(str, layers))})")
    return [(metric, f"layer_{k}_{name}") for k in layers for name in MATCH_STATISTICS]
