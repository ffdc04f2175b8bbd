"""Draw how similar the tokens of both sides are, as colours with the chosen cells outlined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nlgauge.explain.traces import Floats, Match, TokenSimilarities
from nlgauge.report.figures.axes import finite
from nlgauge.report.figures.canvas import FONT, Canvas, box, clipped, text_width
from nlgauge.report.figures.colours import colour_at, ink_on
from nlgauge.report.figures.heat_map import KEY, draw_key, round_ticks
from nlgauge.report.pictures.words import HEAD, MARGIN, draw_title, shown

WRITTEN = 26  # columns up to which numbers are written into the cells
MOST_LABEL = 180.0
BAR, THICK = 54.0, 14.0  # the longest bar of a weight
AXIS, LEGEND = 16.0, 96.0  # room for names of axes and for the key
SAYS = {"hyp": "best of the row", "ref": "best of the column", "both": "best of both"}


@dataclass(frozen=True)
class SimilarityMap:
    """The map has the hypothesis' tokens as rows and the reference's as columns.

    Weights are bars at the sides.
    """

    title: str
    trace: TokenSimilarities
    other: str = "reference"

    @cached_property
    def _cell(self) -> tuple[float, float]:
        """Return width and height: large for numbers, or small for a long sentence."""
        rows, columns = max(len(self.trace.hyp), 1), max(len(self.trace.ref), 1)
        if columns > WRITTEN:
            side = float(np.clip(900 / columns, 12, 30))
            return side, min(side, float(np.clip(900 / rows, 12, 30)))
        low, high = (32.0, 44.0) if self._moved else (18.0, 26.0)
        return float(np.clip(760 / columns, 34, 52)), float(np.clip(760 / rows, low, high))

    @cached_property
    def _moved(self) -> float:
        """Return how much is moved in all, where tokens are shared out."""
        return sum(match.flow or 0.0 for match in self.trace.matches)

    @cached_property
    def _labels(self) -> tuple[list[str], list[str], float, float]:
        """Return the labels of rows and columns, with the sizes of their letters."""
        width, height = self._cell
        sizes = min(FONT, height - 2), min(FONT, width - 2)
        rows, columns = (
            [clipped(shown(token), MOST_LABEL, size) for token in tokens]
            for tokens, size in zip((self.trace.hyp, self.trace.ref), sizes, strict=True)
        )
        return rows, columns, *sizes

    @cached_property
    def _flat(self) -> bool:
        """Return whether the columns' labels fit without being turned."""
        _, columns, _, size = self._labels
        return all(text_width(text, size) <= self._cell[0] - 4 for text in columns)

    @cached_property
    def _corner(self) -> tuple[float, float]:
        """Return where the cells start."""
        rows, columns, of_rows, of_columns = self._labels
        left = max([text_width(text, of_rows) for text in rows], default=0.0)
        above = max([text_width(text, of_columns) for text in columns], default=0.0)
        room = of_columns + 4 if self._flat else above + 6
        return max(left, text_width("hypothesis ↓", 10)) + MARGIN + 8, HEAD + AXIS + room

    @cached_property
    def _limits(self) -> tuple[float, float]:
        """Return the limits of the colours.

        They are symmetric if there are negative numbers, else a little around all.
        """
        known = finite(self.trace.matrix)
        if not known.size:
            return 0.0, 1.0
        low, high = float(known.min()), float(known.max())
        if low < 0 and not self.trace.distance:
            high = max(-low, high)
            return -high, high
        low, high = np.floor(low * 10 + 1e-9) / 10, np.ceil(high * 10 - 1e-9) / 10
        return (float(low), float(high)) if high > low else (0.0, float(high) or 1.0)

    def colour_of(self, value: float) -> str:
        """Return the colour that a similarity is shown in."""
        low, high = self._limits
        return self._colour((value - low) / (high - low))

    def _colour(self, place: float) -> str:
        """Return the colour at a place between the limits; what is near is dark."""
        if self._limits[0] < 0:
            return colour_at(place, "diverging")
        return colour_at(1 - place if self.trace.distance else place)

    @property
    def size(self) -> tuple[float, float]:
        """Return a size that fits the number of tokens."""
        (left, top), (wide, high), trace = self._corner, self._cell, self.trace
        width = left + wide * len(trace.ref) + MARGIN
        height = top + high * len(trace.hyp) + LEGEND
        width += BAR + 40 if any(self._bars(trace.hyp_weights)) else 0
        height += BAR + 22 if any(self._bars(trace.ref_weights)) else 0
        return max(width, left + text_width(f"{self.other} →", 10), KEY + 260.0), height

    def narrowed(self) -> SimilarityMap:
        """Return the picture itself, of which a phone shows a piece at a time."""
        return self

    def draw(self, canvas: Canvas) -> None:
        """Draw the labels on the left and on top, weights on the right and below, then the key."""
        (left, top), (wide, high), trace = self._corner, self._cell, self.trace
        rows, columns, of_rows, of_columns = self._labels
        draw_title(canvas, self.title, self.size[0])
        canvas.text(left - 8, top - 5, "hypothesis ↓", size=10, anchor="end", colour="muted")
        canvas.text(left, HEAD + 8, f"{self.other} →", size=10, colour="muted")
        for j, text in enumerate(columns):
            x, note = left + wide * (j + 0.5), shown(trace.ref[j])
            if self._flat:
                canvas.text(x, top - 5, text, size=of_columns, anchor="middle", note=note)
            else:
                x += of_columns * 0.35
                canvas.text(x, top - 5, text, size=of_columns, upwards=True, note=note)
        for i, text in enumerate(rows):
            y, note = top + high * (i + 0.5) + of_rows * 0.35, shown(trace.hyp[i])
            canvas.text(left - 8, y, text, size=of_rows, anchor="end", note=note)
        self._draw_cells(canvas)
        for match in trace.matches:
            corner = left + wide * match.ref, top + high * match.hyp
            _outline(canvas, *corner, wide - 1, high - 1, match, self._thickness(match))
        self._draw_weights(canvas)
        self._draw_key(canvas)

    def _draw_cells(self, canvas: Canvas) -> None:
        (left, top), (wide, high), trace = self._corner, self._cell, self.trace
        chosen = {(match.hyp, match.ref): match for match in trace.matches}
        for (i, j), value in np.ndenumerate(np.asarray(trace.matrix, np.float64)):
            x, y = left + wide * j, top + high * i
            match = chosen.get((i, j))
            names = f"{shown(trace.hyp[i])} – {shown(trace.ref[j])}"
            if np.isnan(value):
                canvas.area(box(x, y, wide - 1, high - 1), "blank", note=f"{names}: not compared")
                continue
            colour = self.colour_of(value)
            note = f"{names}: {_number(value, 3)}"
            note += f" ({self._says(match)})" if match else ""
            canvas.area(box(x, y, wide - 1, high - 1), colour, note=note)
            ink = ink_on(colour)
            if len(trace.ref) > WRITTEN:
                continue
            lines = [_number(value, 2)]
            if match and match.flow is not None:
                lines.append(f"{match.flow / self._moved:.0%}")
            size = min(10.5, wide / 3.4)
            base = y + high / 2 + size * 0.35 - (len(lines) - 1) * size * 0.6
            for k, text in enumerate(lines):
                place = x + (wide - 1) / 2, base + k * size * 1.2
                canvas.text(
                    *place,
                    text,
                    size=size,
                    anchor="middle",
                    colour=ink,
                    bold=bool(match),
                    note=note,
                )

    def _thickness(self, match: Match) -> float:
        if match.flow is None:
            return 2.0
        return 1 + 2 * match.flow / max(m.flow or 0.0 for m in self.trace.matches)

    def _says(self, match: Match) -> str:
        if match.flow is None:
            return SAYS[match.side]
        return f"{match.flow / self._moved:.1%} of all is moved here"

    def _draw_weights(self, canvas: Canvas) -> None:
        (left, top), (wide, high), trace = self._corner, self._cell, self.trace
        right, bottom = left + wide * len(trace.ref) + 6, top + high * len(trace.hyp) + 6
        for i, weight, length in self._bars(trace.hyp_weights):
            note = f"{shown(trace.hyp[i])}: weight {weight:.3g}"
            y, thick = top + high * (i + 0.5), min(high - 3, THICK)
            canvas.area(box(right, y - thick / 2, length, thick), "series7", note=note)
            if high >= 12:
                canvas.text(right + length + 3, y + 3, f"{weight:.2f}", size=9, colour="muted")
        for j, weight, length in self._bars(trace.ref_weights):
            note = f"{shown(trace.ref[j])}: weight {weight:.3g}"
            x, thick = left + wide * (j + 0.5), min(wide - 3, THICK)
            canvas.area(box(x - thick / 2, bottom, thick, length), "series7", note=note)
            if wide >= 24:
                text = f"{weight:.2f}"
                canvas.text(x, bottom + length + 10, text, size=9, anchor="middle", colour="muted")

    def _bars(self, weights: Floats | None) -> Iterator[tuple[int, float, float]]:
        """Return the tokens that have a weight: which, how much, how long its bar is.

        The bars are on one scale for both sides, and there are none if the tokens of each weigh the
        same.
        """
        if not self.trace.weighted:
            return
        sides = [w for w in (self.trace.hyp_weights, self.trace.ref_weights) if w is not None]
        most = float(finite(np.concatenate(sides)).max(initial=0.0)) or 1.0
        for place, weight in enumerate(weights if weights is not None else ()):
            if np.isfinite(weight):
                yield place, float(weight), BAR * max(float(weight), 0.0) / most

    def _draw_key(self, canvas: Canvas) -> None:
        y, trace = self.size[1] - LEGEND + 22, self.trace
        if not trace.matrix.size:
            empty = "the hypothesis" if not trace.hyp else f"the {self.other}"
            canvas.text(MARGIN, y, f"{empty} has no tokens to compare", colour="muted")
            return
        near = f"{trace.measure}; dark is near" if trace.distance else trace.measure
        canvas.text(MARGIN, y - 6, near, size=10, colour="muted")
        draw_key(canvas, MARGIN + 8, y, round_ticks(*self._limits), self._colour)
        x = MARGIN + KEY + 40
        if self._moved:
            says = "what is moved, of all; the thicker, the more"
            entries = [(Match(0, 0, "both", self._moved), says)]
        else:
            sides = {match.side: Match(0, 0, match.side) for match in trace.matches}
            entries = [(sides[side], says) for side, says in SAYS.items() if side in sides]
        for k, (match, says) in enumerate(entries):
            canvas.area(box(x, y - 12 + 20 * k, 15, 15), "blank")
            _outline(canvas, x, y - 12 + 20 * k, 15, 15, match, 2)
            canvas.text(x + 22, y + 20 * k, says, size=10, colour="muted")


def _outline(
    canvas: Canvas, x: float, y: float, width: float, height: float, match: Match, thick: float
) -> None:
    """Draw lines along the row for its best, along the column for its best.

    They are dark within light, to be seen on any colour.
    """
    a, b, c, d = box(x, y, width, height)
    whole = [[a, b, c, d, a, b]]
    lines = {"both": whole, "hyp": [[a, b], [d, c]], "ref": [[a, d], [b, c]]}[match.side]
    for ink, wide in (("#ffffff", thick + 2), ("#111111", thick)):
        for line in lines:
            canvas.path(line, ink, width=wide)


def _number(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}".replace("-", "−")
