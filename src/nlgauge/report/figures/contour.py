"""Draw a quantity over a plane: coloured cells, lines of equal height, maximum and region."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nlgauge.report.figures.axes import Numbers, finite, nice_ticks, tick_texts
from nlgauge.report.figures.canvas import FONT, PHONE, Canvas, PhoneLayout, box, clipped, draw_title
from nlgauge.report.figures.colours import colour_at

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, KEY = 480.0, 360.0, 58.0, 40.0, 44.0, 74.0
Segment = tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Contour(PhoneLayout):
    """A contour plot shows `values[i, j]` at `y[i]`, `x[j]`.

    The places may be unevenly spaced; NaN stays empty.
    """

    title: str
    x_label: str
    y_label: str
    x: npt.ArrayLike
    y: npt.ArrayLike
    values: npt.ArrayLike  # [y, x]
    value_label: str = ""
    maximum: tuple[float, float] | None = None  # x and y of the point to mark
    region: tuple[float, float, float, float] | None = None  # x low, x high, y low, y high
    region_label: str = ""
    levels: Sequence[float] | None = None

    @property
    def size(self) -> tuple[float, float]:
        """Return the size, which does not depend on the values."""
        return PHONE if self.narrow else WIDTH, HEIGHT

    def draw(self, canvas: Canvas) -> None:
        """Draw each grid point as the middle of its cell; all cells have the same size on paper."""
        x, y = np.asarray(self.x, np.float64), np.asarray(self.y, np.float64)
        values = np.asarray(self.values, np.float64)
        width = self.size[0]
        right, bottom = width - KEY - 10, HEIGHT - BOTTOM
        wide, high = (right - LEFT) / x.size, (bottom - TOP) / y.size
        known = finite(values)
        low, top_value = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
        span = top_value - low or 1.0

        def across(value: float) -> float:
            return LEFT + wide * (float(np.interp(value, x, np.arange(x.size))) + 0.5)

        def up(value: float) -> float:
            return bottom - high * (float(np.interp(value, y, np.arange(y.size))) + 0.5)

        draw_title(canvas, self.title, width)
        for (i, j), value in np.ndenumerate(values):
            place = box(LEFT + wide * j, bottom - high * (i + 1), wide + 0.3, high + 0.3)
            if np.isnan(value):
                canvas.area(place, "blank")
                continue
            note = f"{self.x_label} {x[j]:g}, {self.y_label} {y[i]:g}: {value:.3f}"
            canvas.area(place, colour_at((value - low) / span), note=note)
        levels = nice_ticks(low, top_value, 8) if self.levels is None else self.levels
        for level in levels:
            for line in contour_lines(values, level):
                places = [(LEFT + wide * (j + 0.5), bottom - high * (i + 0.5)) for j, i in line]
                canvas.path(places, "#ffffff", width=2.6)  # seen on dark cells
                canvas.path(places, "#16181b", width=0.9, note=f"{level:g}")
        self._draw_axes(canvas, across, up, right, bottom)
        if self.region is not None:
            x0, x1, y0, y1 = self.region
            # As wide as the cells of its outermost grid points.
            left, upper = across(x0) - wide / 2, up(y1) - high / 2
            shape = box(left, upper, across(x1) + wide / 2 - left, up(y0) + high / 2 - upper)
            canvas.path([*shape, shape[0]], "#d55e00", width=2, dashed=True, note=self.region_label)
        if self.maximum is not None:
            mark = across(self.maximum[0]), up(self.maximum[1])
            note = f"maximum at {self.maximum[0]:g}, {self.maximum[1]:g}"
            canvas.disc(*mark, 6.5, "#ffffff", note=note)
            canvas.disc(*mark, 4.5, "#d55e00", note=note)
        self._draw_key(canvas, right + 22, bottom, low, span)

    def _draw_axes(
        self,
        canvas: Canvas,
        across: Callable[[float], float],
        up: Callable[[float], float],
        right: float,
        bottom: float,
    ) -> None:
        x, y = np.asarray(self.x, np.float64), np.asarray(self.y, np.float64)
        for value in x[:: -(-x.size // (6 if self.narrow else 11))]:
            canvas.text(across(value), bottom + 15, f"{value:g}", anchor="middle", colour="muted")
        for value in y[:: -(-y.size // 14)]:
            canvas.text(LEFT - 6, up(value) + 4, f"{value:g}", anchor="end", colour="muted")
        canvas.text((LEFT + right) / 2, bottom + 33, self.x_label, anchor="middle")
        canvas.text(FONT + 2, (TOP + bottom) / 2, self.y_label, anchor="middle", upwards=True)
        if self.region is not None and self.region_label:
            canvas.line((LEFT, TOP - 10), (LEFT + 18, TOP - 10), "#d55e00", width=2, dashed=True)
            canvas.text(
                LEFT + 24, TOP - 6, clipped(self.region_label, right - LEFT), colour="muted"
            )

    def _draw_key(self, canvas: Canvas, x: float, bottom: float, low: float, span: float) -> None:
        steps, height = 60, bottom - TOP
        for k in range(steps):
            y = bottom - height * (k + 1) / steps
            canvas.area(box(x, y, 12, height / steps + 0.3), colour_at((k + 0.5) / steps))
        ticks = nice_ticks(low, low + span, 8)
        for tick, text in zip(ticks, tick_texts(ticks), strict=True):
            y = bottom - height * (tick - low) / span
            canvas.text(x + 17, y + 4, text, colour="muted")
        canvas.text(self.size[0] - 4, TOP - 13, self.value_label, anchor="end")


def contour_lines(values: Numbers, level: float) -> Iterator[Segment]:
    """Return pieces of the line at a level, as (column, row) on the grid's own numbering.

    They are found by marching squares, where a saddle is split by the mean of its corners.
    """
    above = values > level
    for i in range(values.shape[0] - 1):
        for j in range(values.shape[1] - 1):
            corners = [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)]
            heights = [float(values[c]) for c in corners]
            if np.isnan(heights).any():
                continue
            crossings = []
            for k in range(4):
                a, b = k, (k + 1) % 4
                if above[corners[a]] != above[corners[b]]:
                    t = (level - heights[a]) / (heights[b] - heights[a])
                    (ia, ja), (ib, jb) = corners[a], corners[b]
                    crossings.append((ja + t * (jb - ja), ia + t * (ib - ia)))
            # Four lie on the sides 0 to 3 in turn. They cut off the corners 1 and 3, or, where the
            # middle is not on the side of corner 0, the corners 0 and 2.
            if len(crossings) == 4 and (np.mean(heights) > level) != above[corners[0]]:
                crossings = [crossings[-1], *crossings[:-1]]
            for k in range(0, len(crossings), 2):
                yield crossings[k], crossings[k + 1]
