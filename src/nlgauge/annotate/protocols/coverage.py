"""Coverage of reference units by a summary, as at DUC 2001."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.protocol import Protocol, ProtocolInfo, Row, StudyTask
from nlgauge.annotate.forms.unit_lists import check_units, units_of
from nlgauge.annotate.forms.widgets import Option, RadioChoice, Widget
from nlgauge.core.options import option
from nlgauge.human.grades import COVERAGE


@dataclass(frozen=True, kw_only=True)
class UnitCoverage(Protocol):
    """A grade for each unit of the reference: how much of it the summary expresses.

    Records have `units`: a list of objects with id and text.
    """

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="coverage",
        title="Coverage of reference units",
        unit="output",
        paper="Harman and Marcu (2001), Document Understanding Conference",
        needs=("units",),
    )

    question: str = option("How much of this does the text say?", "what annotators are asked")

    def check_record(self, record: Mapping[str, Any]) -> None:
        """Refuse units without id or text."""
        super().check_record(record)
        check_units(record, "units")

    def criteria(self, item: str, record: Mapping[str, Any]) -> Sequence[str]:
        """Return the item, whose units are graded."""
        del record
        return (item,)

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return the grades, once for each unit."""
        grades = tuple(Option(grade, grade) for grade in COVERAGE)
        return [
            RadioChoice(
                name=str(unit["id"]), legend=unit["text"], hint=self.question, options=grades,
                scale=True,
            )
            for unit in units_of(task.record, "units")
        ]  # fmt: skip

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return the grade of each unit, as `nlgauge analyse coverage` reads it."""
        return [
            {
                "item": f"{task.output.item}/{unit}",
                "system": task.output.system,
                "criterion": task.output.item,
                "label": grade,
                "value": COVERAGE[grade],
            }
            for unit, grade in answers.items()
        ]
