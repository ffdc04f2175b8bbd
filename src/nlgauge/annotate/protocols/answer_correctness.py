"""Three-way rating of answers: correct, somehow related, or wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.protocol import Protocol, ProtocolInfo, Row, StudyTask, rating
from nlgauge.annotate.forms.widgets import Option, RadioChoice, Widget
from nlgauge.core.options import option
from nlgauge.human.grades import ANSWERS

_NOTES = {
    "correct": "the answer is there",
    "related": "it is about the question, but does not answer it",
    "wrong": "it has nothing to do with the question, or is false",
}


@dataclass(frozen=True, kw_only=True)
class AnswerCorrectness(Protocol):
    """A grade for the answer to a question; the guideline says what to do with long answers."""

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="answer-correctness",
        title="Correctness of answers",
        unit="output",
        paper="Voorhees (2003), Overview of the TREC 2003 question answering track",
        needs=("question",),
    )

    criterion: str = option("correctness", "the guideline that answers are judged by")
    question: str = option("Does the text answer the question?", "what annotators are asked")
    guideline: str = option("", "what counts as correct, such as for an answer among other text")

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return the three grades to choose from."""
        del task
        grades = tuple(Option(grade, grade.capitalize(), _NOTES[grade]) for grade in ANSWERS)
        return [
            RadioChoice(name="grade", legend=self.question, hint=self.guideline, options=grades)
        ]

    def shown_context(self, task: StudyTask, fields: Sequence[str]) -> Sequence[str]:
        """Show the question, whatever else is shown."""
        del task
        return fields if "question" in fields else ["question", *fields]

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return the grade as a label, with its weight as the value."""
        grade = answers["grade"]
        return [rating(task.output, self.criterion, ANSWERS[grade]) | {"label": grade}]
