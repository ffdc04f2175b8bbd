"""Best-worst scaling: the best and the worst of a few texts (Louviere and Woodworth, 1991).

An output's value is 1 each time it is the best of a tuple, -1 if it is the worst, else 0: the mean
is the usual count, (best - worst) / shown (Kiritchenko and Mohammad, 2017).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.protocol import Protocol, ProtocolInfo, Row, StudyTask, rating
from nlgauge.annotate.forms.widgets import Extremes, Option, Widget
from nlgauge.core.options import option


@dataclass(frozen=True, kw_only=True)
class BestWorstScaling(Protocol):
    """A choice of the best and the worst of a tuple of texts, drawn by a balanced design."""

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="best-worst",
        title="Best-worst scaling",
        unit="tuple",
        paper="Kiritchenko and Mohammad (2017), Best-worst scaling more reliable",
    )

    criterion: str = option("quality", "what texts are the best and the worst of")
    question: str = option("Which text is best, and which is worst?", "what annotators are asked")
    size: int = option(4, "number of texts in a tuple", low=3, high=8)
    times: int = option(8, "number of tuples that each output is in", low=1, high=100)
    within_items: bool = option(False, "compare only outputs of the same item")

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return the texts, each with a button for best and one for worst."""
        texts = tuple(Option(str(i), "", text=out.text) for i, out in enumerate(task.outputs))
        return [Extremes(name=self.criterion, legend=self.question, options=texts)]

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return 1 for the best, -1 for the worst, 0 for the others."""
        best, worst = (answers[self.criterion][end] for end in ("best", "worst"))
        return [
            rating(output, self.criterion, {best: 1.0, worst: -1.0}.get(str(i), 0.0))
            for i, output in enumerate(task.outputs)
        ]
