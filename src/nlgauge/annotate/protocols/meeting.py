"""The questionnaire for summaries of meetings, with reversed twins (Murray et al., 2005)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.protocol import Protocol, ProtocolInfo, Row, StudyTask, rating
from nlgauge.annotate.forms.widgets import Widget
from nlgauge.annotate.protocols.likert import anchor_steps, steps
from nlgauge.core.options import option
from nlgauge.human.scales import likert
from nlgauge.human.statements import STATEMENTS


@dataclass(frozen=True, kw_only=True)
class MeetingQuestionnaire(Protocol):
    """Twelve statements to agree with, more or less; some say the contrary of others."""

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="meeting",
        title="Questionnaire",
        unit="output",
        paper="Murray et al. (2005), Extractive summarization of meeting recordings",
        criteria=tuple(statement.key for statement in STATEMENTS),
    )

    points: int = option(7, "number of steps", low=2, high=11)
    anchors: tuple[str, ...] = option(("disagree", "agree"), "texts of both ends")

    def check_options(self) -> None:
        """Refuse a scale that cannot be shown."""
        anchor_steps(self.anchors, self.points)

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return a row of steps for each statement."""
        del task
        scale = likert(self.points, anchor_steps(self.anchors, self.points))
        return [steps(statement.key, statement.text, scale) for statement in STATEMENTS]

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return the step of each statement, as `nlgauge analyse meeting` reads it."""
        return [rating(task.output, key, float(step)) for key, step in answers.items()]
