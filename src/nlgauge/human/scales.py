"""Scales that people judge outputs on, and questions to ask them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from nlgauge.data.judgements import Judgements
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats

Kind = Literal["steps", "continuous", "comparison", "rank"]


@dataclass(frozen=True)
class RatingScale:
    """A scale says which values judges may give, and what they mean. Steps are whole numbers from
    `low` to `high`; a comparison is 0, 0.5 or 1; ranks are whole numbers from 1, equal ones for
    ties.
    """

    name: str
    kind: Kind
    low: float = 1
    high: float = float("inf")
    anchors: Mapping[int, str] = field(default_factory=dict)  # what people read at some values

    def accepts(self, value: float) -> bool:
        """Return whether a value is on the scale."""
        return bool(self.accepted(np.array([value]))[0])

    def accepted(self, values: Floats) -> npt.NDArray[np.bool_]:
        """Return which values are on the scale."""
        if self.kind == "comparison":
            return np.isin(values, (0, 0.5, 1))
        within = (self.low <= values) & (values <= self.high)
        return within if self.kind == "continuous" else within & (values % 1 == 0)

    def check(self, judgements: Judgements) -> None:
        """Refuse judgements of which a value is not on the scale, and name the first."""
        value = judgements.value
        for i in np.flatnonzero(~np.isnan(value) & ~self.accepted(value))[:1]:
            raise DataError(
                f"item {judgements.item[i]!r}, system {judgements.system[i]!r}, annotator "
                f"{judgements.annotator[i]!r}: {value[i]:g} is not on the scale {self.name} "
                f"({self.described})"
            )

    @property
    def described(self) -> str:
        """Return the values of the scale in words."""
        if self.kind == "comparison":
            return "0, 0.5 or 1"
        span = (
            f"{self.low:g} and up"
            if self.high == float("inf")
            else f"{self.low:g} to {self.high:g}"
        )
        return span if self.kind == "continuous" else f"whole numbers, {span}"


@dataclass(frozen=True)
class Question:
    """A question is what people are asked about a criterion, and the scale they answer on."""

    criterion: str
    text: str
    scale: RatingScale


def likert(points: int, anchors: Mapping[int, str] | None = None) -> RatingScale:
    """Return a scale of steps from 1; without anchors of its own, from very poor to very good."""
    if points < 2:
        raise SpecError(f"points={points}: a scale needs two or more")
    if anchors is None:
        words = ("very poor", "poor", "acceptable", "good", "very good")
        anchors = dict(enumerate(words, 1)) if points == 5 else {1: words[0], points: words[-1]}
    return RatingScale(f"likert({points})", "steps", 1, points, anchors)


def even(points: int, anchors: Mapping[int, str] | None = None) -> RatingScale:
    """Return a scale of steps that has no middle to hide in."""
    if points % 2:
        raise SpecError(f"points={points}: a scale without a middle has an even number")
    return RatingScale(f"even({points})", "steps", 1, points, likert(points, anchors).anchors)


BINARY = RatingScale("binary", "steps", 0, 1, {0: "no", 1: "yes"})
CONTINUOUS = RatingScale("continuous", "continuous", 0, 100, {0: "not at all", 100: "perfectly"})
POSTEDIT = RatingScale(
    "postedit",
    "steps",
    1,
    5,
    {
        1: "to be written anew",
        2: "most of it to be changed",
        3: "about half to be changed",
        4: "a little to be changed",
        5: "nothing to be changed",
    },
)
PAIRWISE = RatingScale("pairwise", "comparison", 0, 1)
RANK = RatingScale("rank", "rank")
SCALES: Mapping[str, RatingScale] = {
    s.name: s for s in (likert(5), likert(7), even(4), BINARY, CONTINUOUS, POSTEDIT, PAIRWISE, RANK)
}


def _steps(*words: str) -> dict[int, str]:
    return dict(enumerate(words, 1))


QUESTIONS: Mapping[str, Question] = {
    question.criterion: question
    for question in (
        Question(
            "fluency",
            "How good is the language of this text?",
            likert(
                5,
                _steps("incomprehensible", "not fluent", "like a non-native's", "good", "flawless"),
            ),
        ),
        Question(
            "naturalness",
            "Could a person have written this?",
            even(4, _steps("very unnatural", "rather unnatural", "rather natural", "very natural")),
        ),
        Question(
            "adequacy",
            "How much of the meaning of the reference does this text express?",
            likert(5, _steps("none", "little", "much", "most", "all")),
        ),
        Question(
            "understandability",
            "How easy is this text to understand?",
            likert(7, {1: "impossible", 4: "just barely possible", 7: "extremely easy"}),
        ),
        Question(
            "writing quality",
            "How well is this text written?",
            likert(7, {1: "horribly", 4: "pretty badly", 7: "extremely well"}),
        ),
    )
}
