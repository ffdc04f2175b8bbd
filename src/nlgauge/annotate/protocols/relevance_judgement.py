"""Judging relevance: Relevance-Prediction and LDC-Agreement (Dorr et al., 2005).

Outputs are surrogates of a document, such as headlines and summaries; the output of the system
called `full` is its full text, which is shown last. `event` in the records is what a document may
be relevant for, `label` what the annotators of the corpus said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.protocol import Protocol, ProtocolInfo, Row, StudyTask
from nlgauge.annotate.forms.widgets import Option, RadioChoice, Widget
from nlgauge.core.options import option
from nlgauge.errors import DataError

LABELS = ("relevant", "not relevant")


@dataclass(frozen=True, kw_only=True)
class LdcAgreement(Protocol):
    """A judgement of relevance, to be compared with the label of the corpus."""

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="ldc-agreement",
        title="Relevance",
        unit="output",
        paper="Dorr et al. (2005), A methodology for extrinsic evaluation of text summarization",
        needs=("event", "label"),
    )

    question: str = option("Is the document relevant for this event?", "what subjects are asked")

    def check_record(self, record: Mapping[str, Any]) -> None:
        """Refuse labels other than the two."""
        super().check_record(record)
        if record.get("label") not in (*LABELS, None):
            raise DataError(f"label is {record['label']!r:.40}, expected {' or '.join(LABELS)}")

    def criteria(self, item: str, record: Mapping[str, Any]) -> Sequence[str]:
        """Return the event that documents may be relevant for."""
        del item
        return (record["event"],)

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return the two answers; the event is named above them."""
        answers = tuple(Option(label, label.capitalize()) for label in LABELS)
        hint = f"Event: {task.record['event']}"
        return [RadioChoice(name="relevance", legend=self.question, hint=hint, options=answers)]

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return the label, as `nlgauge analyse relevance` reads it."""
        place = {"item": task.output.item, "system": task.output.system}
        return [place | {"criterion": task.record["event"], "label": answers["relevance"]}]

    def fixed_rows(self, record: Mapping[str, Any]) -> list[Row]:
        """Return the label of the corpus, by the annotator called gold."""
        if "label" not in record:
            return []
        place = {"item": record["item"], "criterion": record["event"], "annotator": "gold"}
        return [place | {"label": record["label"]}]


@dataclass(frozen=True, kw_only=True)
class RelevancePredicted(LdcAgreement):
    """Judgements of all surrogates, then of the full text, timed and without a way back.

    Which kind of surrogate comes first is turned on from subject to subject.
    """

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="relevance-prediction",
        title="Relevance",
        unit="output",
        paper="Dorr et al. (2005), A methodology for extrinsic evaluation of text summarization",
        needs=("event",),
        can_return=False,
    )

    full: str = option("full", "the system whose output is the full text")

    def first_stage(self, systems: Sequence[str]) -> int:
        """Return 1 for the full text, which comes after all surrogates."""
        return int(self.full in systems)
