"""Draw words above each other with what was done to them, below the shifts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nlgauge.explain.traces import Edit, Edits
from nlgauge.report.figures.canvas import Canvas, Points, text_width
from nlgauge.report.pictures.words import (
    GAP,
    HEAD,
    HEIGHT,
    MARGIN,
    draw_title,
    draw_word,
    in_a_row,
    shown,
    word_width,
)

# Fill, opacity and the letter below.
KINDS = {
    "match": ("blank", 1.0, ""),
    "substitute": ("series4", 0.4, "S"),
    "delete": ("series5", 0.4, "D"),
    "insert": ("series1", 0.4, "I"),
}
SHIFT = HEIGHT + 40  # the height of a row with a shift
KEY = "S substitute · D delete · I insert"


@dataclass(frozen=True)
class EditsPicture:
    """The picture has each shift in a row of its own, then the hypothesis above the reference."""

    title: str
    trace: Edits

    def _steps(self) -> Iterator[tuple[Edit, str, str]]:
        for edit in self.trace.script:
            hyp = "" if edit.hyp is None else shown(self.trace.hyp[edit.hyp])
            ref = "" if edit.ref is None else shown(self.trace.ref[edit.ref])
            yield edit, hyp, ref

    @property
    def size(self) -> tuple[float, float]:
        """Return a size that fits the words and the number of shifts."""
        rows = [in_a_row(map(shown, self.trace.before_shifts))[-1] - GAP]
        rows.append(MARGIN + sum(max(map(word_width, words)) + 4 for _, *words in self._steps()))
        rows.append(MARGIN + text_width(KEY, 10))
        height = HEAD + SHIFT * len(self.trace.shifts) + 2 * HEIGHT + 54
        return max(rows) + MARGIN, height

    def draw(self, canvas: Canvas) -> None:
        """Draw the rows from top to bottom."""
        draw_title(canvas, self.title, self.size[0])
        y, words = HEAD, list(self.trace.before_shifts)
        for shift in self.trace.shifts:
            texts = [shown(word) for word in words]
            places = in_a_row(texts)
            moved = range(shift.start, shift.start + shift.length)
            for i, text in enumerate(texts):
                fill, opacity = ("series3", 0.5) if i in moved else ("blank", 1.0)
                wide = word_width(text)
                draw_word(canvas, places[i], y + 30, wide, text, fill, opacity=opacity)
            start = (places[moved.start] + places[moved.stop] - GAP) / 2
            end = places[shift.target] - GAP / 2
            canvas.path(_arc(start, end, y + 30), "series3", width=2)
            tip = [(end, y + 30), (end - 4, y + 22), (end + 4, y + 22)]
            canvas.area(tip, "series3")
            words, y = shift.apply(words), y + SHIFT
        x = MARGIN
        for edit, hyp, ref in self._steps():
            wide = max(word_width(hyp), word_width(ref))
            fill, opacity, letter = KINDS[edit.operation]
            for text, top in ((hyp, y + 6), (ref, y + HEIGHT + 10)):
                draw_word(canvas, x, top, wide, text, fill, opacity=opacity, note=edit.operation)
            if letter:
                below = y + 2 * HEIGHT + 22
                canvas.text(x + wide / 2, below, letter, size=10, anchor="middle", colour="muted")
            x += wide + 4
        canvas.text(MARGIN, y + 2 * HEIGHT + 42, KEY, size=10, colour="muted")


def _arc(start: float, end: float, bottom: float) -> Points:
    """Draw a curve over the words, from one place to another."""
    t = np.linspace(0, 1, 25)
    x = start + (end - start) * (3 * t**2 - 2 * t**3)
    return np.column_stack([x, bottom - 4 * 22 * t * (1 - t)])
