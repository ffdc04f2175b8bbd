"""Draw how scores are spread: histograms with quartiles for several samples, on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nlgauge.report.figures.axes import AxisScale, draw_x_axis, finite
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

ROW, TOP, BOTTOM, WIDTH = 54.0, 34.0, 44.0, 460.0
TALL = 74.0  # a row with the name above, for phones
BINS = 40


@dataclass(frozen=True, eq=False, kw_only=True)
class Distribution(PhoneLayout):
    """A distribution plot has one row for each sample; NaN is left out."""

    title: str
    labels: Sequence[str]
    samples: Sequence[npt.ArrayLike]
    axis: str = ""
    groups: Sequence[int] | None = None  # rows of one group share a colour; default: all differ

    @property
    def size(self) -> tuple[float, float]:
        """Return a size as high as there are samples."""
        width, row = (PHONE, TALL) if self.narrow else (WIDTH, ROW)
        return width, TOP + row * len(self.samples) + BOTTOM

    def draw(self, canvas: Canvas) -> None:
        """Draw bars, and below them a line from quartile to quartile with a dot at the median."""
        samples = [finite(sample) for sample in self.samples]
        (width, _), row = self.size, TALL if self.narrow else ROW
        left = 8.0
        if not self.narrow:
            left = min(160.0, max(map(text_width, self.labels), default=0)) + 14
        scale = AxisScale.over(np.concatenate(samples), left, width - 12, margin=0.02)
        draw_title(canvas, self.title, width)
        bands = None
        if self.narrow:  # no line runs through a name
            bands = [(TOP + row * i + 21, TOP + row * (i + 1)) for i in range(len(samples))]
        draw_x_axis(canvas, scale, TOP, TOP + row * len(samples), self.axis, bands=bands)
        edges = np.linspace(scale.low, scale.high, BINS + 1)
        for i, (label, sample) in enumerate(zip(self.labels, samples, strict=True)):
            base = TOP + row * (i + 1) - 14
            counts = np.histogram(sample, edges)[0]
            # Each row is as high as its own tallest bar: what counts is the shape.
            heights = base - counts / max(1, counts.max()) * (ROW - 20)
            # Steps: each edge twice, at the heights on its left and right.
            xs = np.repeat([scale(edge) for edge in edges], 2)
            ys = np.concatenate([[base], np.repeat(heights, 2), [base]])
            if self.narrow:
                canvas.text(8, TOP + row * i + 16, clipped(label, width - 16), note=label)
            else:
                short = clipped(label, left - 12)
                canvas.text(left - 10, base - FONT * 0.4, short, anchor="end", note=label)
            if not sample.size:
                continue
            colour = series(i if self.groups is None else self.groups[i])
            low, median, high = np.quantile(sample, [0.25, 0.5, 0.75])
            note = (
                f"{label}: {sample.size} values, quartiles {low:.4g}, {median:.4g}, {high:.4g}, "
                f"mean {sample.mean():.4g}"
            )
            canvas.area(np.column_stack([xs, ys]), colour, opacity=0.55, note=note)
            canvas.path(
                [(scale(low), base + 6), (scale(high), base + 6)], colour, width=3, note=note
            )
            canvas.disc(scale(median), base + 6, 4, colour, note=note)
