"""Error spans: MQM (Lommel et al., 2014; Freitag et al., 2021) and ESA (Kocmi et al., 2024).

The score of an output is minus the sum of its errors' weights, as in files that
`read_judgements(format="mqm")` reads; weights are those of `nlgauge.io`. ESA asks for spans without
categories, and then for a number from 0 to 100, which is the score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.marks import Marks
from nlgauge.annotate.forms.protocol import Protocol, ProtocolInfo, Row, StudyTask, rating
from nlgauge.annotate.forms.widgets import Amount, Option, Widget
from nlgauge.core.options import option
from nlgauge.errors import SpecError
from nlgauge.io.judgements.mqm import WEIGHTS, error_cost

CATEGORIES = (
    "Accuracy/Mistranslation",
    "Accuracy/Addition",
    "Accuracy/Omission",
    "Accuracy/Untranslated text",
    "Fluency/Grammar",
    "Fluency/Spelling",
    "Fluency/Punctuation",
    "Fluency/Register",
    "Fluency/Inconsistency",
    "Style/Awkward",
    "Terminology/Inappropriate for context",
    "Locale convention",
    "Non-translation",
    "Other",
)
_MARKS = "errors"


def _options(values: Sequence[str]) -> tuple[Option, ...]:
    return tuple(Option(value, value[:1].upper() + value[1:]) for value in values)


def _marks(task: StudyTask, legend: str, **settings: Any) -> Marks:
    text = Option("0", "", text=task.output.text)
    return Marks(name=_MARKS, legend=legend, texts=(text,), **settings)


def _span(mark: Mapping[str, Any]) -> Row:
    return {name: mark[name] for name in ("severity", "start", "end")}


@dataclass(frozen=True, kw_only=True)
class MultidimensionalQuality(Protocol):
    """Spans of errors, each with a category and a severity."""

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="mqm",
        title="Errors (MQM)",
        unit="output",
        paper="Freitag et al. (2021), Experts, errors, and context",
        criteria=("mqm", "mqm-errors"),
    )

    question: str = option("Mark every error in the text.", "what annotators are asked")
    categories: tuple[str, ...] = option(
        CATEGORIES, "categories of errors, such as Fluency/Grammar"
    )
    severities: tuple[str, ...] = option(
        ("minor", "major"),
        f"severities that have a weight: {', '.join(w for w in WEIGHTS if '/' not in w)}",
    )

    def check_options(self) -> None:
        """Refuse severities without a weight."""
        if not self.categories or not self.severities:
            raise SpecError("categories, severities: give at least one of each")
        for severity in self.severities:
            error_cost(WEIGHTS, severity, "", "severities")

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return the text to mark errors in."""
        return [
            _marks(
                task, self.question, labels=_options(self.categories), label_name="category",
                severities=_options(self.severities),
            )
        ]  # fmt: skip

    def shows_outputs(self, task: StudyTask) -> bool:
        """Return False: the text stands in the form."""
        del task
        return False

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return minus the weights of the errors, and their categories as labels."""
        marks = answers[_MARKS]
        total = sum(error_cost(WEIGHTS, m["severity"], m["label"], "marks") for m in marks)
        output = task.output
        place = {"item": output.item, "system": output.system, "criterion": "mqm-errors"}
        return [
            rating(output, "mqm", -total if total else 0.0),
            *(place | {"label": mark["label"]} | _span(mark) for mark in marks),
        ]


@dataclass(frozen=True, kw_only=True)
class ErrorSpanAnnotation(Protocol):
    """Spans of minor and major errors, then a number for the whole."""

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="esa",
        title="Error spans and score (ESA)",
        unit="output",
        paper="Kocmi et al. (2024), Error span annotation",
        criteria=("esa", "esa-errors"),
    )

    question: str = option("Mark the errors in the text.", "what annotators are asked first")
    score_question: str = option(
        "How good is the text, all in all?", "what annotators are asked then"
    )
    ends: tuple[str, ...] = option(("nothing is preserved", "perfect"), "texts of both ends")

    def check_options(self) -> None:
        """Refuse a line with other than two ends."""
        if len(self.ends) != 2:
            raise SpecError(f"ends: {len(self.ends)} texts; give two")

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return the text to mark errors in, and a slider."""
        marks = _marks(task, self.question, label_name="", severities=_options(("minor", "major")))
        ends = (self.ends[0], self.ends[1])
        return [
            marks,
            Amount(
                name="score", legend=self.score_question, low=0, high=100, slider=True, ends=ends
            ),
        ]

    def shows_outputs(self, task: StudyTask) -> bool:
        """Return False: the text stands in the form."""
        del task
        return False

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return the score, and the severities of the errors as labels."""
        output = task.output
        place = {"item": output.item, "system": output.system, "criterion": "esa-errors"}
        return [
            rating(output, "esa", answers["score"]),
            *(place | {"label": mark["severity"]} | _span(mark) for mark in answers[_MARKS]),
        ]
