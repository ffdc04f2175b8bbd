"""Draw as a tree how what is alike is joined step by step."""

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
    clipped,
    draw_title,
    label_width,
)

ROW, TOP, BOTTOM, WIDTH = 20.0, 34.0, 44.0, 460.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Dendrogram(PhoneLayout):
    """A dendrogram draws `merges` as SciPy's `linkage` gives them.

    They are [leaves − 1, 4], each row the two parts joined (leaves first, then the rows before),
    their distance, and the size.
    """

    title: str
    labels: Sequence[str]
    merges: npt.ArrayLike
    axis: str = "distance"

    @property
    def size(self) -> tuple[float, float]:
        """Return a size as high as there are leaves, and wider for long names."""
        return self._width, TOP + ROW * len(self.labels) + BOTTOM

    @property
    def _width(self) -> float:
        if self.narrow:
            return PHONE
        return WIDTH + max(0.0, label_width(self.labels) - USUAL_LABEL)

    def order(self) -> list[int]:
        """Return the leaves from top to bottom, so that no branches cross."""
        merges = np.asarray(self.merges, np.float64).reshape(-1, 4)
        leaves = len(self.labels)
        if not len(merges):
            return list(range(leaves))
        found, stack = [], [leaves + len(merges) - 1]
        while stack:
            node = stack.pop()
            if node < leaves:
                found.append(node)
            else:
                stack += [int(merges[node - leaves, 1]), int(merges[node - leaves, 0])]
        return found

    def draw(self, canvas: Canvas) -> None:
        """Draw the leaves on the right at distance 0, and the root on the left."""
        merges = np.asarray(self.merges, np.float64).reshape(-1, 4)
        most = PHONE / 2 if self.narrow else self._width
        right = self._width - min(label_width(self.labels), most) - 16
        end = TOP + ROW * len(self.labels)
        largest = float(merges[:, 2].max()) if len(merges) else 1.0
        scale = AxisScale((largest or 1.0) * 1.05, 0.0, 16.0, right)
        draw_title(canvas, self.title, self._width)
        # The axis runs from right to left; ticks are asked for on the ordered scale.
        draw_x_axis(canvas, AxisScale(0.0, scale.low, right, 16.0), TOP, end, self.axis, most=5)
        places = {}
        for row, leaf in enumerate(self.order()):
            y = TOP + ROW * (row + 0.5)
            places[leaf] = (right, y)
            name = self.labels[leaf]
            canvas.text(
                right + 8, y + FONT * 0.35, clipped(name, self._width - right - 16), note=name
            )
        for k, (a, b, distance, size) in enumerate(merges):
            (xa, ya), (xb, yb), x = places[int(a)], places[int(b)], scale(distance)
            note = f"{int(size)} joined at {distance:.3f}"
            canvas.path([(xa, ya), (x, ya), (x, yb), (xb, yb)], "series0", width=1.8, note=note)
            places[len(self.labels) + k] = (x, (ya + yb) / 2)
