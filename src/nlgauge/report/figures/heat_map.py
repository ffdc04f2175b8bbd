"""Draw a matrix as colours with its numbers: correlations, p-values, drops in score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from nlgauge.core.facts.defaults import ALPHA
from nlgauge.report.figures.axes import finite, nice_ticks, tick_texts
from nlgauge.report.figures.canvas import (
    FONT,
    PHONE,
    Canvas,
    PhoneLayout,
    box,
    clipped,
    draw_title,
    text_width,
)
from nlgauge.report.figures.colours import Map, colour_at, ink_on

TOP, LEGEND, KEY, LABEL = 34.0, 60.0, 200.0, 220.0
NARROW_LABEL = 84.0  # on phones
WRITTEN = 16  # columns up to which numbers are written into the cells
LEAST_P = 1e-4  # p-values below have the same colour


@dataclass(frozen=True, eq=False, kw_only=True)
class HeatMap(PhoneLayout):
    """A heat map shows a matrix of rows and columns as colours.

    A marked cell has a dot after its number (or alone). NaN stays empty.
    """

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: npt.ArrayLike  # [rows, columns]
    colours: Map = "sequential"
    limits: tuple[float, float] | None = None  # of the colours; default: of the values
    format: str = ".2f"
    marked: npt.ArrayLike | None = None  # bool[rows, columns]
    mark_note: str = ""  # what the dot says
    p_values: bool = False  # coloured by their order of magnitude, the small ones dark

    @classmethod
    def of_correlations(
        cls,
        title: str,
        names: Sequence[str],
        values: npt.ArrayLike,
        *,
        marked: npt.ArrayLike | None = None,
        mark_note: str = "",
    ) -> HeatMap:
        """Make the map of a square matrix of values between −1 and 1."""
        return cls(
            title=title,
            rows=names,
            columns=names,
            values=values,
            colours="diverging",
            limits=(-1, 1),
            marked=marked,
            mark_note=mark_note,
        )

    @classmethod
    def of_p_values(
        cls,
        title: str,
        rows: Sequence[str],
        columns: Sequence[str],
        values: npt.ArrayLike,
        *,
        alpha: float = ALPHA,
    ) -> HeatMap:
        """Make the map of p-values, where those below `alpha` are marked."""
        marked = np.asarray(values, np.float64) < alpha  # False for NaN
        return cls(
            title=title,
            rows=rows,
            columns=columns,
            values=values,
            format=".3f",
            p_values=True,
            marked=marked,
            mark_note=f"p < {alpha:g}",
        )

    def narrowed(self) -> HeatMap:
        """Return the map laid out for a phone: columns are rows where that makes it fit."""
        made = replace(self, narrow=True)
        if made.size[0] <= PHONE or len(self.rows) >= len(self.columns):
            return made
        return replace(
            made,
            rows=self.columns,
            columns=self.rows,
            values=np.transpose(np.asarray(self.values)),
            marked=None if self.marked is None else np.transpose(np.asarray(self.marked)),
        )

    @property
    def _cell(self) -> float:
        if len(self.columns) > WRITTEN:
            return 16.0
        marks = "" if self.marked is None else "•"
        written = max(text_width(f"{self._shown(v)}{marks}") for v in (*self._limits(), -0.888))
        return max(24.0, written + (4 if self.narrow else 8))

    @property
    def _height(self) -> float:
        return 24.0 if len(self.columns) <= WRITTEN else 16.0

    @property
    def _label(self) -> float:
        return NARROW_LABEL if self.narrow else LABEL

    @property
    def _margins(self) -> tuple[float, float]:
        """Return the room for the names on the left and on top."""
        left, top = (
            min(self._label, max(map(text_width, names), default=0))
            for names in (self.rows, self.columns)
        )
        return left + 14, top + 10

    @property
    def size(self) -> tuple[float, float]:
        """Return a size that fits the number of cells."""
        left, top = self._margins
        width = left + self._cell * len(self.columns) + 12
        height = TOP + top + self._height * len(self.rows) + LEGEND
        titled = PHONE if self.narrow else min(520.0, text_width(self.title, 13) + 20)
        return max(width, 300.0, titled), height

    def _limits(self) -> tuple[float, float]:
        if self.limits is not None:
            return self.limits
        known = finite(self.values)
        low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
        if self.colours == "diverging":
            high = max(abs(low), abs(high))
            low = -high
        return (low, high) if low < high else (low - 0.5, high + 0.5)

    def _position(self, value: float) -> float:
        if self.p_values:
            return float(np.log10(max(value, LEAST_P)) / np.log10(LEAST_P)) * 0.85
        low, high = self._limits()
        return (value - low) / (high - low)

    def _shown(self, value: float) -> str:
        if self.p_values and value < 0.001:
            return "<.001"
        text = f"{value:{self.format}}".replace("-", "−")
        # On a phone there is no room for a zero that says nothing.
        return text.replace("0.", ".", 1) if self.narrow and abs(value) < 1 else text

    def draw(self, canvas: Canvas) -> None:
        """Draw the cells, names on the left and on top, and a key to the colours below."""
        values = np.asarray(self.values, np.float64)
        marked = np.zeros(values.shape, bool) if self.marked is None else np.asarray(self.marked)
        (left, names), cell, height = self._margins, self._cell, self._height
        top, written = TOP + names, len(self.columns) <= WRITTEN
        draw_title(canvas, self.title, self.size[0])
        for j, name in enumerate(self.columns):
            x = left + cell * (j + 0.5) + FONT * 0.35
            canvas.text(x, top - 6, clipped(name, self._label), upwards=True, note=name)
        for i, name in enumerate(self.rows):
            y = top + height * i
            middle = y + height / 2 + FONT * 0.35
            canvas.text(left - 8, middle, clipped(name, self._label), anchor="end", note=name)
            for j, column in enumerate(self.columns):
                value = float(values[i, j])
                corners = box(left + cell * j, y, cell - 1, height - 1)
                if np.isnan(value):
                    canvas.area(corners, "blank")
                    continue
                number = self._shown(value)
                note = f"{name}, {column}: {number}"
                note += f" ({self.mark_note})" if marked[i, j] and self.mark_note else ""
                colour = colour_at(self._position(value), self.colours)
                canvas.area(corners, colour, note=note)
                text = (number if written else "") + ("•" if marked[i, j] else "")
                if text:
                    canvas.text(
                        left + cell * (j + 0.5),
                        middle,
                        text,
                        size=FONT - 1,
                        anchor="middle",
                        colour=ink_on(colour),
                        bold=bool(marked[i, j]),
                        note=note,
                    )
        self._draw_key(canvas, top + height * len(self.rows) + 14)

    def _draw_key(self, canvas: Canvas, y: float) -> None:
        if self.p_values:
            ticks = [(f"{p:g}", np.log10(p) / np.log10(LEAST_P)) for p in (1, 0.1, 0.01, 1e-3)]
            ticks.append((f"≤{LEAST_P:g}", 1.0))
        else:
            ticks = round_ticks(*self._limits())
        reach = 0.85 if self.p_values else 1
        draw_key(canvas, 24.0, y, ticks, lambda place: colour_at(place * reach, self.colours))
        if self.mark_note:
            canvas.text(20.0, y + 40, f"• {self.mark_note}", colour="muted")


def round_ticks(low: float, high: float) -> list[tuple[str, float]]:
    """Return round numbers, and where they are between the limits."""
    ticks = nice_ticks(low, high, 5)
    return [
        (text, (tick - low) / (high - low))
        for text, tick in zip(tick_texts(ticks), ticks, strict=True)
    ]


def draw_key(
    canvas: Canvas,
    left: float,
    y: float,
    ticks: Sequence[tuple[str, float]],
    colour: Callable[[float], str],
) -> None:
    """Draw a strip of colours by their place between 0 and 1, with numbers below."""
    steps = 60
    for k in range(steps):
        corners = box(left + KEY * k / steps, y, KEY / steps + 0.3, 10)
        canvas.area(corners, colour((k + 0.5) / steps))
    for text, place in ticks:
        canvas.text(
            left + KEY * place, y + 22, text, size=FONT - 1, anchor="middle", colour="muted"
        )
