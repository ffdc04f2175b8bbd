"""Pairwise comparison of two outputs of one item, with or without ties (Thurstone, 1927)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.protocol import Protocol, ProtocolInfo, Row, StudyTask
from nlgauge.annotate.forms.widgets import Option, RadioChoice, Widget
from nlgauge.core.options import option

TIE = "tie"


@dataclass(frozen=True, kw_only=True)
class Pairwise(Protocol):
    """A choice of the better of two texts, which stand side by side in random order."""

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="pairwise",
        title="Pairwise comparison",
        unit="pair",
        paper="Thurstone (1927), A law of comparative judgment",
    )

    criterion: str = option("preference", "what the comparison is about")
    question: str = option("Which text is better?", "what annotators are asked")
    ties: bool = option(True, "let annotators say that neither is better")
    tie_text: str = option("Neither is better", "text of the answer for a tie")

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return the two texts, and the answer for a tie."""
        texts = [Option(str(i), "", text=output.text) for i, output in enumerate(task.outputs)]
        tie = [Option(TIE, self.tie_text)] if self.ties else []
        return [RadioChoice(name=self.criterion, legend=self.question, options=(*texts, *tie))]

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return one comparison: 1 for the first, 0 for the second, 0.5 for a tie."""
        first, second = task.outputs
        value = {"0": 1.0, "1": 0.0, TIE: 0.5}[answers[self.criterion]]
        return [
            {
                "item": first.item,
                "system": first.system,
                "against": second.system,
                "criterion": self.criterion,
                "value": value,
            }
        ]
