"""Hold one score: its value, its interval, and how it is printed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, ClassVar

from nlgauge.core.signature import shortened


@dataclass(frozen=True)
class Interval:
    """A confidence interval, on the score's printed scale."""

    low: float
    high: float
    mean: float
    level: float
    resamples: int
    seed: int
    method: ClassVar[str] = "bootstrap"


@dataclass(frozen=True, repr=False)
class Score:
    """One number, how it came about, and the parts it is made of."""

    name: str
    value: float  # as defined, mostly 0..1
    scale: float
    signature: str
    parts: Mapping[str, Any] = field(default_factory=dict)
    interval: Interval | None = None
    p_value: float | None = None  # that the difference to the baseline is chance

    @property
    def score(self) -> float:
        """Return the value on the scale the official tool prints."""
        return self.value * self.scale

    def __float__(self) -> float:
        return self.score

    def shown(self, number: float | None = None, width: int = 2) -> str:
        """Return the score, or a number on its scale, as printed: `width` decimals on a scale of
        100, and more where the scale is smaller.
        """
        return f"{self.score if number is None else number:.{decimals(self.scale, width)}f}"

    def __round__(self, digits: int | None = None) -> float:
        return round(self.score, digits)

    def __lt__(self, other: object) -> bool:
        number = self._comparable(other)
        return NotImplemented if number is None else self.score < number

    def __le__(self, other: object) -> bool:
        number = self._comparable(other)
        return NotImplemented if number is None else self.score <= number

    def __gt__(self, other: object) -> bool:
        number = self._comparable(other)
        return NotImplemented if number is None else self.score > number

    def __ge__(self, other: object) -> bool:
        number = self._comparable(other)
        return NotImplemented if number is None else self.score >= number

    def _comparable(self, other: object) -> float | None:
        """Return a number, or the score of another system by the same metric, as a number."""
        if isinstance(other, Score):
            return other.score if other.name == self.name else None
        return float(other) if isinstance(other, Real) else None

    def __str__(self) -> str:
        return f"{self.name} = {self.shown()}"

    def __format__(self, form: str) -> str:
        """Format the number, as in f"{score:.1f}"; without a form, what is printed."""
        return format(self.score, form) if form else str(self)

    def __repr__(self) -> str:
        return f"<Score: {self.name} {self.score:.5g}, {shortened(self.signature)}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the score as plain values, for JSON."""
        record: dict[str, Any] = {
            "metric": self.name,
            "score": self.score,
            "scale": self.scale,
            "signature": self.signature,
        }
        if self.interval is not None:
            record["interval"] = vars(self.interval)
        if self.p_value is not None:
            record["p_value"] = self.p_value
        return {**record, **self.parts}


def decimals(scale: float, width: int = 2) -> int:
    """Return how many decimals scores are printed with: `width` on a scale of 100, or more."""
    return width + max(0, round(2 - math.log10(scale)))
