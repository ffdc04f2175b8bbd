"""Draw two measurements of the same things against each other, with the line that fits best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nlgauge.report.figures.axes import AxisScale, Numbers, draw_x_axis, draw_y_axis
from nlgauge.report.figures.canvas import (
    FONT,
    PHONE,
    Canvas,
    PhoneLayout,
    clipped,
    draw_title,
    series,
    text_width,
)
from nlgauge.stats.correlation import pearson

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 420.0, 360.0, 62.0, 50.0, 44.0
NAMED = 25  # points that get their names written beside them
SMALL = 10.0  # the size of names
TOLD = 400  # points that tell their names under the pointer
DRAWN = 3000  # points that are drawn, by lot; the line and r are of all


@dataclass(frozen=True, eq=False, kw_only=True)
class ScatterPlot(PhoneLayout):
    """A scatter plot has points, their least-squares line and Pearson's r.

    Pairs with a NaN are left out.
    """

    title: str
    x_label: str
    y_label: str
    x: npt.ArrayLike
    y: npt.ArrayLike
    labels: Sequence[str] | None = None
    groups: Sequence[int] | None = None  # the colour of each point
    group_names: Sequence[str] = ()
    turned: bool = False  # less is better on the x axis: it runs from right to left, r is −r

    @property
    def size(self) -> tuple[float, float]:
        """Return the size, in which a legend takes a line more."""
        return PHONE if self.narrow else WIDTH, HEIGHT + (18 if self.group_names else 0)

    def fit(self) -> tuple[float, float, float, int]:
        """Return slope, intercept, Pearson's r and the number of points; NaN without a line."""
        x, y, _ = self._known()
        r = pearson(x, y)
        if not np.isfinite(r):
            return float("nan"), float("nan"), r, x.size
        slope = r * y.std() / x.std()
        return float(slope), float(y.mean() - slope * x.mean()), r, x.size

    def _known(self) -> tuple[Numbers, Numbers, npt.NDArray[np.intp]]:
        x, y = np.asarray(self.x, np.float64), np.asarray(self.y, np.float64)
        rows = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        return x[rows], y[rows], rows

    def draw(self, canvas: Canvas) -> None:
        """Draw points, the line, and the correlation under the title."""
        x, y, rows = self._known()
        slope, intercept, r, n = self.fit()
        width = self.size[0]
        right, bottom = width - 14, HEIGHT - BOTTOM
        ends = (right, LEFT) if self.turned else (LEFT, right)
        across, up = AxisScale.over(x, *ends), AxisScale.over(y, bottom, TOP)
        r = -r if self.turned else r
        draw_title(canvas, self.title, width)
        # Zero has no sign.
        shown = f"= {round(r, 3) + 0.0:.3f}".replace("-", "−") if np.isfinite(r) else "undefined"
        told = f"r {shown}, n = {n}"
        told += f", of which {DRAWN} are drawn" if n > DRAWN else ""
        canvas.text(4, 34, told, colour="muted")
        draw_x_axis(canvas, across, TOP, bottom, self.x_label)
        draw_y_axis(canvas, up, LEFT, right, self.y_label)
        groups = np.zeros(n, int) if self.groups is None else np.asarray(self.groups)[rows]
        for group in np.unique(groups).tolist():
            mine = np.flatnonzero((groups == group) & _by_lot(n))
            if n > TOLD:
                places = np.column_stack([across(x[mine]), up(y[mine])])
                _draw_cloud(canvas, places, series(group))
                continue
            for i in mine.tolist():
                name = f"{self.labels[rows[i]]}: " if self.labels is not None else ""
                note = f"{name}{x[i]:.4g}, {y[i]:.4g}"
                canvas.disc(across(x[i]), up(y[i]), 3.5, series(group), opacity=0.8, note=note)
        if np.isfinite(slope):
            self._draw_line(canvas, across, up, slope, intercept)
        if self.labels is not None and n <= NAMED:
            self._draw_names(canvas, across(x), up(y), [self.labels[i] for i in rows], right)
        self._draw_legend(canvas)

    def _draw_line(
        self, canvas: Canvas, across: AxisScale, up: AxisScale, slope: float, intercept: float
    ) -> None:
        """Draw the line as far as it lies inside the frame."""
        xs = np.linspace(across.low, across.high, 201)
        ys = intercept + slope * xs
        inside = np.flatnonzero((ys >= up.low) & (ys <= up.high))
        if inside.size > 1:
            ends = [(across(xs[i]), up(ys[i])) for i in (inside[0], inside[-1])]
            canvas.path(ends, "ink", width=1.5, note=f"y = {intercept:.4g} + {slope:.4g} x")

    def _draw_names(
        self, canvas: Canvas, xs: Numbers, ys: Numbers, names: Sequence[str], right: float
    ) -> None:
        """Write names beside the points; one that would cover another is left to the pointer."""
        taken: list[tuple[float, float, float]] = []
        for x, y, name in zip(xs.tolist(), ys.tolist(), names, strict=True):
            short = clipped(name, 110, SMALL)
            width = text_width(short, SMALL)
            start = x + 6 if x + 6 + width < right else x - 6 - width
            if all(abs(y - b) > SMALL or start > d or start + width < a for a, d, b in taken):
                taken.append((start, start + width, y))
                canvas.text(start, y + 3, short, size=SMALL, colour="muted")

    def _draw_legend(self, canvas: Canvas) -> None:
        x = LEFT
        for group, name in enumerate(self.group_names):
            short = clipped(name, 120)
            canvas.disc(x, HEIGHT + 8, 4, series(group))
            canvas.text(x + 8, HEIGHT + 8 + FONT * 0.35, short, note=name)
            x += text_width(short) + 26


def _by_lot(n: int) -> npt.NDArray[np.bool_]:
    """Return which of n points are drawn."""
    chosen = np.ones(n, bool)
    if n > DRAWN:
        chosen[:] = False
        chosen[np.random.default_rng(0).choice(n, DRAWN, replace=False)] = True
    return chosen


def _draw_cloud(canvas: Canvas, places: Numbers, colour: str) -> None:
    """Draw many points: the more of them lie around a place, the stronger its colour."""
    _, cells, counts = np.unique(
        np.floor(places / 4), axis=0, return_inverse=True, return_counts=True
    )
    crowd = np.log(counts[cells.ravel()])
    shade = np.minimum(3, np.floor(4 * crowd / (crowd.max() or 1.0)))
    for k, opacity in enumerate((0.3, 0.45, 0.65, 0.9)):
        if (shade == k).any():
            canvas.dots(places[shade == k], 2, colour, opacity=opacity)
