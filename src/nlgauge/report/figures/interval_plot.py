"""Draw values with their intervals, one below the other, such as scores of systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nlgauge.report.figures.axes import AxisScale, draw_x_axis
from nlgauge.report.figures.canvas import (
    FONT,
    PHONE,
    USUAL_LABEL,
    Canvas,
    PhoneLayout,
    clipped_pair,
    draw_title,
    label_width,
    series,
    text_width,
)

ROW, TOP, BOTTOM, WIDTH = 22.0, 34.0, 44.0, 460.0
TALL, NAMED = 42.0, 21.0  # a row with the name above, for phones, and the height of that name


@dataclass(frozen=True, eq=False, kw_only=True)
class IntervalPlot(PhoneLayout):
    """An interval plot is a forest plot; without `lows` and `highs` it shows the values alone."""

    title: str
    labels: Sequence[str]
    values: npt.ArrayLike
    lows: npt.ArrayLike | None = None
    highs: npt.ArrayLike | None = None
    axis: str = ""
    format: str = ".2f"
    groups: Sequence[int] | None = None  # rows of one group share a colour
    reference: float | None = None  # a value to compare with, such as 0
    hollow: Sequence[bool] | None = None  # rows that may be chance, drawn paler than others

    @property
    def size(self) -> tuple[float, float]:
        """Return a size as high as there are rows, and wider for long names."""
        return self._width, TOP + self._row * len(self.labels) + BOTTOM

    @property
    def _row(self) -> float:
        return TALL if self.narrow else ROW

    @property
    def _width(self) -> float:
        if self.narrow:
            return PHONE
        return WIDTH + max(0.0, label_width(self.labels) - USUAL_LABEL)

    def _shown(self, value: float) -> str:
        text = f"{value:{self.format}}"
        # Zero has no sign.
        return text.lstrip("+-") if float(text) == 0 else text.replace("-", "−")

    def draw(self, canvas: Canvas) -> None:
        """Draw the rows from top to bottom in the order given."""
        values = np.asarray(self.values, np.float64)
        lows = values if self.lows is None else np.asarray(self.lows, np.float64)
        highs = values if self.highs is None else np.asarray(self.highs, np.float64)
        end = TOP + self._row * len(values)
        marked = [] if self.reference is None else [self.reference]
        numbers = [self._shown(v) if np.isfinite(v) else "–" for v in values.tolist()]
        left, right = 8.0, self._width - 8
        if not self.narrow:
            left = label_width(self.labels) + 14
            right = self._width - max(map(text_width, numbers), default=0) - 18
        scale = AxisScale.over([*values, *lows, *highs, *marked], left, right)
        draw_title(canvas, self.title, self._width)
        bands = [(TOP, end)]
        if self.narrow:  # no line runs through a name
            bands = [(TOP + TALL * i + NAMED, TOP + TALL * (i + 1)) for i in range(len(values))]
        draw_x_axis(canvas, scale, TOP, end, self.axis, bands=bands)
        for reference in marked:
            x = scale(reference)
            for start, stop in bands:
                canvas.line((x, start), (x, stop), "muted", dashed=True)
        for i, label in enumerate(self.labels):
            pale = self.hollow is not None and self.hollow[i]
            colour = self._colour(i, pale)
            if self.narrow:
                y, base = TOP + TALL * i + 30, TOP + TALL * i + 16
                room = self._width - text_width(numbers[i]) - 24
                canvas.text(8, base, clipped_pair(label, room), note=label)
                canvas.text(self._width - 8, base, numbers[i], anchor="end", colour="muted")
            else:
                y = TOP + ROW * (i + 0.5)
                base = y + FONT * 0.35
                short = clipped_pair(label, left - 14)
                canvas.text(left - 10, base, short, anchor="end", note=label)
                canvas.text(right + 10, base, numbers[i], colour="muted")
            note = f"{label}: {numbers[i]}"
            if np.isfinite(lows[i]) and lows[i] < highs[i]:
                note += f" [{self._shown(lows[i])}, {self._shown(highs[i])}]"
                low, high = scale(lows[i]), scale(highs[i])
                canvas.path([(low, y), (high, y)], colour, width=2, note=note)
                for x in (low, high):
                    canvas.line((x, y - 4), (x, y + 4), colour, width=2)
            if np.isfinite(values[i]):
                canvas.disc(scale(values[i]), y, 4, colour, note=note)
                if pale:
                    canvas.disc(scale(values[i]), y, 2.2, "paper", note=note)

    def _colour(self, row: int, pale: bool) -> str:
        """Return the colour of a row: of its group, or of its weight where there are none."""
        if self.groups is not None:
            return series(self.groups[row])
        if self.hollow is None:
            return series(0)
        return "muted" if pale else "ink"
