"""Hold one score: its value, its interval, and how it is printed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar


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


@dataclass(frozen=True)
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

    def __str__(self) -> str:
        return f"{self.name} = {self.shown()}"

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
