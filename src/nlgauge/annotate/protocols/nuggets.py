"""Nuggets of answers to definition questions, vital or okay (Voorhees, 2003)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.protocol import Protocol, ProtocolInfo, Row, StudyTask, rating
from nlgauge.annotate.forms.unit_lists import annotated_score, check_units, unit_list, units_of
from nlgauge.annotate.forms.widgets import Widget
from nlgauge.core.options import option
from nlgauge.errors import DataError


@dataclass(frozen=True, kw_only=True)
class Nuggets(Protocol):
    """The nuggets of the answer key that an answer holds; the value is TREC's nugget F.

    Records have `nuggets`: a list of objects with id, text and vital (true or false). Annotators do
    not see which are vital.
    """

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="nuggets",
        title="Nuggets",
        unit="output",
        paper="Voorhees (2003), Overview of the TREC 2003 question answering track",
        needs=("nuggets",),
        criteria=("nugget-f", "nuggets"),
    )

    question: str = option("Which of these facts does the text hold?", "what annotators are asked")
    beta: float = option(3.0, "how much more recall counts than precision", low=0.0, high=1e6)

    def check_record(self, record: Mapping[str, Any]) -> None:
        """Refuse nuggets that lack a text or do not say whether they are vital."""
        super().check_record(record)
        check_units(record, "nuggets")
        for nugget in record["nuggets"]:
            if not isinstance(nugget.get("vital"), bool):
                raise DataError(f"nugget {nugget['id']!r}: vital is neither true nor false")

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return the nuggets, to be ticked."""
        return [unit_list("found", self.question, units_of(task.record, "nuggets"))]

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return nugget F, and the nuggets that were found as labels."""
        found = answers["found"]
        key = {
            "nuggets": [{"id": str(n["id"]), "vital": n["vital"]} for n in task.record["nuggets"]],
            "found": found,
        }
        output = task.output
        score = annotated_score(f"nugget-f(beta={self.beta!r})", output.text, key)
        place = {"item": output.item, "system": output.system, "criterion": "nuggets"}
        return [rating(output, "nugget-f", score), *(place | {"label": name} for name in found)]
