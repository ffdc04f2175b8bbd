"""Direct assessment: a number from 0 to 100 on a slider (Graham et al., 2013)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.protocol import Protocol, ProtocolInfo, Row, StudyTask, rating, required
from nlgauge.annotate.forms.widgets import Amount, Widget
from nlgauge.core.options import option
from nlgauge.errors import SpecError

ADEQUACY = "adequacy"
FEWEST_STEPS = 10  # on a shorter line, whole numbers would be too far apart


@dataclass(frozen=True, kw_only=True)
class Slider(Protocol):
    """A rating on a continuous line; nothing is preset, so that nobody agrees by not moving it."""

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="slider",
        title="Direct assessment",
        unit="output",
        paper="Graham et al. (2013), Continuous measurement scales in human evaluation of MT",
    )

    criterion: str = option("", "what is rated")
    question: str = option("", "what annotators are asked; known for adequacy")
    low: float = option(0.0, "number at the left end", low=-1e6, high=1e6)
    high: float = option(100.0, "number at the right end", low=-1e6, high=1e6)
    ends: tuple[str, ...] = option((), "texts of both ends")

    def check_options(self) -> None:
        """Refuse a line without length."""
        required(self.criterion, self.info.name)
        if self.low >= self.high:
            raise SpecError(f"low={self.low:g}, high={self.high:g}: low must be below high")
        if len(self.ends) not in (0, 2):
            raise SpecError(f"ends: {len(self.ends)} texts; give two")

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return a slider that nothing is set on."""
        del task
        text = f"How good is the {self.criterion} of this text?"
        ends: tuple[str, ...] = ("very bad", "perfect")
        if self.criterion == ADEQUACY:
            text, ends = "How much of the meaning does this text express?", ("nothing", "all of it")
        first, last = self.ends or ends
        return [
            Amount(
                name=self.criterion,
                legend=self.question or text,
                low=self.low,
                high=self.high,
                step=1 if self.high - self.low >= FEWEST_STEPS else (self.high - self.low) / 100,
                slider=True,
                ends=(first, last),
            )
        ]

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return the number as the value of the criterion."""
        return [rating(task.output, self.criterion, answers[self.criterion])]
