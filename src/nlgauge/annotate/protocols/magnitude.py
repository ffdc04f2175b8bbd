"""Magnitude estimation: numbers in proportion to a first text, the modulus (Bard et al., 1996)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.protocol import Protocol, ProtocolInfo, Row, StudyTask, rating, required
from nlgauge.annotate.forms.widgets import Amount, Widget
from nlgauge.core.options import option


@dataclass(frozen=True, kw_only=True)
class MagnitudeEstimation(Protocol):
    """A positive number, twice as high for a text that is twice as good.

    The value is the natural logarithm of the number over that of the modulus: ratios of numbers are
    what people mean, so that means are geometric.
    """

    info: ClassVar[ProtocolInfo] = ProtocolInfo(
        name="magnitude-estimation",
        title="Magnitude estimation",
        unit="output",
        paper="Bard et al. (1996), Magnitude estimation of linguistic acceptability",
    )

    criterion: str = option("", "what is rated")
    question: str = option("", "what annotators are asked")
    modulus: str = option("", "text that numbers are in proportion to; a record's may differ")
    modulus_value: float = option(100.0, "number that the modulus has", low=1e-6, high=1e9)

    def check_options(self) -> None:
        """Refuse a question without a criterion."""
        required(self.criterion, self.info.name)

    def form(self, task: StudyTask) -> Sequence[Widget]:
        """Return a field for a number, and the modulus beside it."""
        modulus = task.record.get("modulus", self.modulus)
        number = f"{self.modulus_value:g}"
        hint = f"A text that is twice as good as another gets twice its number; {number} is usual."
        if modulus:
            hint = f"This text has {number}: “{modulus}”. One that is twice as good has twice that."
        return [
            Amount(
                name=self.criterion,
                legend=self.question or f"How good is the {self.criterion}, as a number?",
                hint=hint,
                low=0,
                high=math.inf,
                step=None,
                above_low=True,
            )
        ]

    def rows(self, task: StudyTask, answers: Mapping[str, Any]) -> list[Row]:
        """Return the logarithm of the ratio to the modulus."""
        value = math.log(answers[self.criterion] / self.modulus_value)
        return [rating(task.output, self.criterion, value)]
