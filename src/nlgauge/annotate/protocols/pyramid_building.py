"""Building a pyramid: annotators find what several model summaries say (Nenkova and Passonneau,
2004); the units they found are then marked in the outputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.marks import Marks
from nlgauge.annotate.forms.protocol import (
    FollowUp,
    Protocol,
    ProtocolInfo,
    Row,
    ShownOutput,
    StudyTask,
)
from nlgauge.annotate.forms.unit_lists import unit_list
from nlgauge.annotate.forms.widgets import Option, Widget
from nlgauge.annotate.protocols.content_units import pyramid_rows
from nlgauge.core.options import option
from nlgauge.errors import DataError

_MARKS, _PEER = "units", "peer"


def units_from_marks(marks: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the content units of marks: those with one label are one unit, and its weight is the
    number of summaries that it is in.
    """
    texts: dict[str, set[str]] = {}
    for mark in marks:
        texts.setdefault(mark["label"], set()).add(mark["text"])
    return [
        {"id": str(number), "text": label, "weight": len(found)}
        for number, (label, found) in enumerate(texts.items(), 1)
    ]


@dataclass(frozen=True, kw_only=True)
class PyramidBuilding(Protocol):
    """Passages of model summaries (the references), joined to content units by their label.

    With outputs in the records, each is then marked for the units of each pyramid; the value is its
    pyramid score.
    """

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="pyramid",
        title="Pyramid of content units",
        unit="item",
        paper="Nenkova and Passonneau (2004), Evaluating content selection in summarization",
        needs=("references",),
        criteria=("unit weight", "pyramid", "pyramid units"),
    )

    question: str = option(
        "Mark what the summaries say. Passages that say the same get the same name.",
        "what annotators are asked first",
    )
    marking_question: str = option("Which of these does the text say?", "what they are asked then")

    def check_record(self, record: Mapping[str, Any]) -> None:
        """Refuse a record with fewer than two model summaries."""
        super().check_record(record)
        if len(record["references"]) < 2:
            raise DataError("a pyramid needs two references or more, the model summaries")

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return the summaries to mark units in, or the units of a pyramid to tick."""
        if task.stage:
            return [unit_list(_PEER, self.marking_question, task.data["units"])]
        texts = tuple(
            Option(str(k), f"Summary {k}", text=text)
            for k, text in enumerate(task.record["references"], 1)
        )
        return [
            Marks(
                name=_MARKS, legend=self.question, texts=texts, label_name="name of the unit",
                required=True,
            )
        ]  # fmt: skip

    def shown_context(self, task: StudyTask, fields: Sequence[str]) -> Sequence[str]:
        """Leave out the references, which stand in the form."""
        del task
        return [name for name in fields if name != "references"]

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return the weights of units, or the pyramid score of an output."""
        if task.stage:
            return pyramid_rows(task, task.data["units"], answers[_PEER])
        return [
            {
                "item": task.item,
                "criterion": "unit weight",
                "label": u["text"],
                "value": u["weight"],
            }
            for u in units_from_marks(answers[_MARKS])
        ]

    def follow_ups(
        self,
        task: StudyTask,
        answers: Mapping[str, Any],
        annotator: str,
        item: Sequence[ShownOutput],
        earlier: Sequence[tuple[str, Mapping[str, Any]]],
    ) -> list[FollowUp]:
        """Return the marking of every output for the units of this pyramid."""
        del earlier
        if task.stage:
            return []
        data = {"units": units_from_marks(answers[_MARKS])}
        return [
            FollowUp(stage=1, data=data, words_of=(annotator,), outputs=(output,))
            for output in item
        ]
