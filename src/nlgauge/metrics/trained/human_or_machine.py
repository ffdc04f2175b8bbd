"""Metrics that tell what people wrote from what machines wrote by the scores of other metrics.

COMPOSITE and NNEVAL (Sharif et al., 2018) do so for captions with a network, KS-SVM (Kulesza and
Shieber, 2004) for translations with a support vector machine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar

import numpy as np

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.feature_model import FeatureModel, LearnedMetric
from nlgauge.metrics.trained.features import Feature
from nlgauge.models.predictors.layered_predictor import LayeredPredictor
from nlgauge.models.predictors.linear_predictor import LinearPredictor
from nlgauge.models.predictors.predictor import Predictor

# What captions may be looked at by: specs of metrics, and the part that counts.
SPECS = {
    "meteor": ("meteor-1.5", None),
    "cider": ("cider(df={df})", None),
    "wmd": ("wmd(vectors={vectors})", None),
    "spice": ("spice", None),
    **{f"bleu-{n}": (f"coco-bleu-{n}", None) for n in (1, 2, 3, 4)},
    **{f"meteor-{side}": ("meteor-1.5", side) for side in ("precision", "recall")},
}
# The authors' four, and both sides of METEOR: nothing else tells half a caption from a whole one.
OF_COMPOSITE = ("meteor", "cider", "wmd", "spice", "meteor-precision", "meteor-recall")
OF_NNEVAL = (*OF_COMPOSITE, "bleu-1", "bleu-2", "bleu-3", "bleu-4")
# NIST, which the authors have, too, is left out, as it depends on the whole test set.
TRANSLATIONS = (
    *(f"bleu(max_order={n},smooth=add-k,smooth_value=1)" for n in (1, 2, 3, 4)),
    *("wer", "per", "ter", "cder", "meteor-1.5", "rouge-l", "gtm(exponent=1)", "gtm(exponent=2)"),
)
_INPUTS = (
    "metrics it looks at, like meteor:cider; others than the default need a model of their own"
)
_DF = "CIDEr's document frequencies, a file or flickr8k; none: of the references"


def _info(name: str, title: str, paper: str) -> Info:
    return Info(
        name=name,
        title=title,
        family="trained",
        cell="CF·T·feature",
        tasks=("IC",),
        criteria=("overall",),
        scale=1.0,
        extras=("vectors", "syntax"),
        paper=paper,
        checked_against="hand calculation from the numbers of its file",
        revision=2,
    )


@dataclass(frozen=True, kw_only=True)
class CaptionMetric(LearnedMetric):
    """The probability that a caption was written by a person, by the scores of metrics."""

    predictor_class: ClassVar[type[LayeredPredictor]] = LayeredPredictor

    inputs: tuple[str, ...] = option(OF_COMPOSITE, _INPUTS)
    df: str | None = option("flickr8k", _DF)
    vectors: str = option("glove", "word vectors of WMD: glove, or a file")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in self.inputs:
            if name not in SPECS:
                raise SpecError(f"inputs={name}: there are {', '.join(SPECS)}")
        if not self.inputs or len(set(self.inputs)) < len(self.inputs):
            raise SpecError("inputs: give one metric at least, and each of them once")

    def looked_at(self) -> list[Feature]:
        """Return the scores of the metrics."""
        return list(_features(self.inputs, self.df, self.vectors))

    def predicted(self, features: Floats) -> Floats:
        """Return the probability that a person wrote the caption."""
        return human_probability(self.learned().predictor, features)


def human_probability(predictor: Predictor, features: Floats) -> Floats:
    """Return what a network says of features, from 0 to 1."""
    found: Floats = 1 / (1 + np.exp(-np.clip(predictor.predict(features), -50, 50)))
    return found


@dataclass(frozen=True, kw_only=True)
class Composite(CaptionMetric):
    """The probability that a person wrote a caption, by METEOR with its precision and recall,
    CIDEr, Word Mover's Distance and SPICE, or some of them.
    """

    info: ClassVar[Info] = _info(
        "composite",
        "COMPOSITE",
        "Sharif et al. (2018), Learning-based composite metrics for improved caption evaluation",
    )


@dataclass(frozen=True, kw_only=True)
class NNEval(CaptionMetric):
    """The probability that a person wrote a caption, by METEOR with its precision and recall,
    CIDEr, Word Mover's Distance, SPICE, and BLEU of up to one, two, three and four words.
    """

    info: ClassVar[Info] = _info(
        "nneval",
        "NNEVAL",
        "Sharif et al. (2018), NNEval: neural network based evaluation metric for image captioning",
    )

    inputs: tuple[str, ...] = option(OF_NNEVAL, _INPUTS)


@dataclass(frozen=True, kw_only=True)
class KSSVM(LearnedMetric):
    """How far, and on which side, a translation is from the plane that separates those of people
    from those of machines by BLEU, edit rates and overlaps; 1 is the standard deviation of outputs.
    """

    info: ClassVar[Info] = Info(
        name="ks-svm",
        title="KS-SVM",
        family="trained",
        cell="CF·T·feature",
        tasks=("MT",),
        criteria=("adequacy", "overall"),
        bounds=(float("-inf"), float("inf")),
        scale=1.0,
        paper="Kulesza and Shieber (2004), A learning approach to improving sentence-level MT "
        "evaluation",
        checked_against="hand calculation from the numbers of its file",
    )
    predictor_class: ClassVar[type[LinearPredictor]] = LinearPredictor

    def looked_at(self) -> list[Feature]:
        """Return the scores of the metrics."""
        return list(_translation_features())

    def predicted(self, features: Floats) -> Floats:
        """Return the signed distances from the plane."""
        return signed_distance(self.learned(), features)


def signed_distance(model: FeatureModel, features: Floats) -> Floats:
    """Return what a model says of features, on its own scale and not on that of ratings."""
    return replace(model, mean=0.0, deviation=1.0).predict(features)


@cache
def _translation_features() -> tuple[Feature, ...]:
    from nlgauge.core import registry

    sides = registry.metric("meteor-1.5")  # what is lost and what is added are told apart
    found: list[Feature] = [(registry.metric(spec), None) for spec in TRANSLATIONS]
    return (*found, (sides, "precision"), (sides, "recall"))


@cache
def _features(inputs: tuple[str, ...], df: str | None, vectors: str) -> tuple[Feature, ...]:
    from nlgauge.core import options, registry

    given = {"df": options.encode(df), "vectors": options.encode(vectors)}
    chosen = (SPECS[name] for name in inputs)
    return tuple((registry.metric(spec.format(**given)), part) for spec, part in chosen)
