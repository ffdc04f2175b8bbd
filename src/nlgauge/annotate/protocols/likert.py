"""Ratings on a scale of steps, with texts at some or all of them (Likert, 1932).

The wordings of fluency, adequacy, naturalness, understandability and writing quality are those of
`nlgauge.human.QUESTIONS`, and presets of this protocol.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.protocol import Protocol, ProtocolInfo, Row, StudyTask, rating, required
from nlgauge.annotate.forms.widgets import Option, RadioChoice, Widget
from nlgauge.core.options import option
from nlgauge.errors import SpecError
from nlgauge.human.scales import QUESTIONS, Question, RatingScale, even, likert

MOST_POINTS = 11


@dataclass(frozen=True, kw_only=True)
class Likert(Protocol):
    """A rating on steps from 1; `even` forbids a middle."""

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="likert",
        title="Rating scale",
        unit="output",
        paper="Likert (1932), A technique for the measurement of attitudes",
    )

    criterion: str = option("", "what is rated")
    question: str = option("", "what annotators are asked; known for the usual criteria")
    points: int = option(0, "number of steps; 0: of the usual wording, or 5", low=0, high=11)
    anchors: tuple[str, ...] = option((), "texts of all steps, of both ends, or of ends and middle")
    even: bool = option(False, "refuse a number of steps that has a middle")

    def check_options(self) -> None:
        """Refuse a scale that cannot be shown."""
        required(self.criterion, self.info.name)
        _ = self.asked

    @property
    def asked(self) -> Question:
        """Return the question with its scale."""
        usual = QUESTIONS.get(self.criterion)
        if usual is not None and not self.points and not self.anchors:
            scale = usual.scale
            if self.even and len(scale_steps(scale)) % 2:
                raise SpecError(f"even: the usual scale of {self.criterion} has a middle")
            return Question(self.criterion, self.question or usual.text, scale)
        points = self.points or len(self.anchors) or 5
        text = self.question or (usual.text if usual else f"How good is the {self.criterion}?")
        make = even if self.even else likert
        return Question(self.criterion, text, make(points, anchor_steps(self.anchors, points)))

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return one row of steps."""
        del task
        asked = self.asked
        return [steps(self.criterion, asked.text, asked.scale)]

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return the step as the value of the criterion."""
        return [rating(task.output, self.criterion, float(answers[self.criterion]))]


def anchor_steps(anchors: Sequence[str], points: int) -> dict[int, str] | None:
    """Return the texts of steps: all, those of both ends, or of ends and middle."""
    if not anchors:
        return None
    if len(anchors) == points:
        return dict(enumerate(anchors, 1))
    if len(anchors) == 2:
        return {1: anchors[0], points: anchors[1]}
    if len(anchors) == 3 and points % 2:
        return {1: anchors[0], (points + 1) // 2: anchors[1], points: anchors[2]}
    raise SpecError(
        f"anchors: {len(anchors)} texts for {points} points; give one for each point, two for the "
        "ends, or three for the ends and the middle of an odd number"
    )


def scale_steps(scale: RatingScale) -> list[int]:
    """Return the steps of a scale."""
    return list(range(int(scale.low), int(scale.high) + 1))


def steps(name: str, legend: str, scale: RatingScale) -> RadioChoice:
    """Return a row of radio buttons for the steps of a scale."""
    return RadioChoice(
        name=name,
        legend=legend,
        options=tuple(
            Option(str(step), str(step), scale.anchors.get(step, "")) for step in scale_steps(scale)
        ),
        scale=True,
    )
