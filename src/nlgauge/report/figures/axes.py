"""Bring numbers to places: round ticks, linear scales and the frame around a plot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from nlgauge.report.figures.canvas import FONT, Canvas, text_width

EDGE = 8.0  # pixels around a plot at least

Numbers = npt.NDArray[np.float64]


def nice_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return at most `most` multiples of 1, 2 or 5 times a power of ten, inside [low, high]."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return [low] if math.isfinite(low) else []
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    for step in (power, 2 * power, 5 * power, 10 * power, 20 * power):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first + 1 <= most:
            break
    # Divided by a whole number where the step is below 1, so that 0.3 is 0.3.
    inverse = round(1 / step)
    return [k / inverse if step < 1 else k * step for k in range(first, last + 1)]


def tick_texts(ticks: Sequence[float]) -> list[str]:
    """Return the texts of ticks, with as many decimals as tell them apart."""
    step = min((b - a for a, b in pairwise(ticks)), default=1.0)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0
    return [f"{tick:.{decimals}f}".replace("-", "−") for tick in ticks]


def finite(values: npt.ArrayLike) -> Numbers:
    """Return the values that are finite numbers."""
    array = np.asarray(values, np.float64).ravel()
    return array[np.isfinite(array)]


@dataclass(frozen=True)
class AxisScale:
    """A linear scale maps [low, high] to the places [start, end]."""

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def over(
        cls, values: npt.ArrayLike, start: float, end: float, margin: float = 0.05
    ) -> AxisScale:
        """Make a scale over all finite values, with a margin on both sides."""
        known = finite(values)
        low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
        room = (high - low) * margin or abs(high) * margin or 1.0
        return cls(low - room, high + room, start, end)

    @overload
    def __call__(self, value: float) -> float: ...
    @overload
    def __call__(self, value: Numbers) -> Numbers: ...
    def __call__(self, value: Any) -> Any:
        """Return the place of a value, or the places of several."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, most: int | None = None) -> list[float]:
        """Return round values, one for every 50 pixels at most."""
        return nice_ticks(self.low, self.high, most or max(3, int(abs(self.end - self.start) / 50)))


def draw_x_axis(
    canvas: Canvas,
    scale: AxisScale,
    top: float,
    bottom: float,
    label: str,
    most: int | None = None,
    bands: Sequence[tuple[float, float]] | None = None,
) -> None:
    """Draw grid lines from top to bottom, numbers below and the axis' name below these; `bands` are
    the only heights that lines run through, where others hold names.
    """
    ticks, ends = scale.ticks(most), (scale.start, scale.end)
    for tick, text in zip(ticks, tick_texts(ticks), strict=True):
        x = scale(tick)
        for start, end in [(top, bottom)] if bands is None else bands:
            canvas.line((x, start), (x, end), "grid")
        # On a phone, the axis ends next to the edge: no number is cut there.
        half = text_width(text) / 2 - EDGE
        place = float(np.clip(x, min(ends) + half, max(ends) - half))
        canvas.text(place, bottom + FONT + 4, text, anchor="middle", colour="muted")
    middle = (scale.start + scale.end) / 2
    canvas.text(middle, bottom + 2 * FONT + 10, label, anchor="middle")


def draw_y_axis(
    canvas: Canvas,
    scale: AxisScale,
    left: float,
    right: float,
    label: str,
    label_x: float = FONT + 2,
) -> None:
    """Draw grid lines from left to right, numbers on the left, the axis' name upwards."""
    ticks = scale.ticks()
    for tick, text in zip(ticks, tick_texts(ticks), strict=True):
        y = scale(tick)
        canvas.line((left, y), (right, y), "grid")
        canvas.text(left - 6, y + FONT * 0.35, text, anchor="end", colour="muted")
    middle = (scale.start + scale.end) / 2
    canvas.text(label_x, middle, label, anchor="middle", upwards=True)
