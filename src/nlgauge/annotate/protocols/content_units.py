"""Content units that summaries share: SCUs (Nenkova and Passonneau, 2004) and factoids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.protocol import Protocol, ProtocolInfo, Row, StudyTask, rating
from nlgauge.annotate.forms.unit_lists import annotated_score, check_units, unit_list, units_of
from nlgauge.annotate.forms.widgets import Widget
from nlgauge.core.options import option
from nlgauge.errors import DataError

_PEER = "peer"


def pyramid_rows(
    task: StudyTask, units: Sequence[Mapping[str, Any]], found: list[str]
) -> list[Row]:
    """Return the pyramid score of an output, and its units as labels."""
    weights = {str(unit["id"]): unit["weight"] for unit in units}
    score = annotated_score("pyramid", task.output.text, {"peer": found, "weights": weights})
    return _rows(task, "pyramid", score, found)


def _rows(task: StudyTask, criterion: str, score: float, found: Sequence[str]) -> list[Row]:
    output = task.output
    place = {"item": output.item, "system": output.system, "criterion": f"{criterion} units"}
    return [rating(output, criterion, score), *(place | {"label": name} for name in found)]


@dataclass(frozen=True, kw_only=True)
class ContentUnits(Protocol):
    """The content units (SCUs) of a pyramid that a summary expresses; the value is its score.

    Records have `units`: a list of objects with id, text and weight, the number of model summaries
    that express the unit. The protocol pyramid makes them.
    """

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="content-units",
        title="Content units",
        unit="output",
        paper="Nenkova and Passonneau (2004), Evaluating content selection in summarization",
        needs=("units",),
        criteria=("pyramid", "pyramid units"),
    )

    question: str = option("Which of these does the text say?", "what annotators are asked")

    def check_record(self, record: Mapping[str, Any]) -> None:
        """Refuse units without a weight."""
        super().check_record(record)
        check_units(record, "units")
        for unit in record["units"]:
            if isinstance(unit.get("weight"), bool) or not isinstance(
                unit.get("weight"), int | float
            ):
                raise DataError(f"unit {unit['id']!r}: weight is no number")

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return the units, to be ticked."""
        return [unit_list(_PEER, self.question, units_of(task.record, "units"))]

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return the pyramid score, and the units as labels."""
        return pyramid_rows(task, units_of(task.record, "units"), answers[_PEER])


@dataclass(frozen=True, kw_only=True)
class Factoids(Protocol):
    """The factoids of human summaries that a text expresses; the value is its factoid score.

    Records have `units`: a list of objects with id, text and models, the numbers of the human
    summaries (of `summaries` in all) that express the factoid.
    """

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="factoids",
        title="Factoids",
        unit="output",
        paper="van Halteren and Teufel (2003), Examining the consensus between human summaries",
        needs=("units", "summaries"),
        criteria=("factoid", "factoid units"),
    )

    question: str = option("Which of these does the text say?", "what annotators are asked")
    threshold: float = option(
        0.3, "share of human summaries that makes a factoid count", low=0, high=1
    )

    def check_record(self, record: Mapping[str, Any]) -> None:
        """Refuse factoids that name summaries there are not."""
        super().check_record(record)
        check_units(record, "units")
        count = record["summaries"]
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise DataError(f"summaries is {count!r:.40}, expected how many there are")
        for unit in record["units"]:
            models = unit.get("models")
            if not isinstance(models, list) or not set(models) <= set(range(1, count + 1)):
                raise DataError(
                    f"factoid {unit['id']!r}: models is {models!r:.40}, expected numbers of "
                    f"summaries from 1 to {count}"
                )

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return the factoids, to be ticked."""
        return [unit_list(_PEER, self.question, units_of(task.record, "units"))]

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return the factoid score, and the factoids as labels."""
        units = units_of(task.record, "units")
        models = [
            [str(unit["id"]) for unit in units if number in unit["models"]]
            for number in range(1, task.record["summaries"] + 1)
        ]
        found = answers[_PEER]
        spec = f"factoid(threshold={self.threshold!r})"
        score = annotated_score(spec, task.output.text, {"peer": found, "models": models})
        return _rows(task, "factoid", score, found)
