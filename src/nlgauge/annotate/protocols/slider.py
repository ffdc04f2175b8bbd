"""Direct assessment: a number from 0 to 100 on a slider (Graham et al., 2013)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.protocol import Protocol, ProtocolInfo, Row, StudyTask, rating, required
from nlgauge.annotate.forms.widgets import Amount, Widget
from nlgauge.core.options import option
from nlgauge.errors import SpecError


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
    question: str = option("", "statement that annotators agree with, more or less")
    low: float = option(0.0, "number at the left end", low=-1e6, high=1e6)
    high: float = option(100.0, "number at the right end", low=-1e6, high=1e6)
    ends: tuple[str, ...] = option(("not at all", "perfectly"), "texts of both ends")

    def check_options(self) -> None:
        """Refuse a line without length."""
        required(self.criterion, self.info.name)
        if self.low >= self.high:
            raise SpecError(f"low={self.low:g}, high={self.high:g}: low must be below high")
        if len(self.ends) != 2:
            raise SpecError(f"ends: {len(self.ends)} texts; give two")

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return a slider that nothing is set on."""
        del task
        text = self.question or f"How good is the {self.criterion} of this text?"
        ends = (self.ends[0], self.ends[1])
        return [
            Amount(
                name=self.criterion,
                legend=text,
                low=self.low,
                high=self.high,
                slider=True,
                ends=ends,
            )
        ]

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return the number as the value of the criterion."""
        return [rating(task.output, self.criterion, answers[self.criterion])]
