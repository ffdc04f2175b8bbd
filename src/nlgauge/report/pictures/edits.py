"""Draw words above each other with what was done to them, below the shifts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nlgauge.explain.traces import Edit, Edits
from nlgauge.report.figures.canvas import PHONE, Canvas, PhoneLayout, Points, clipped, text_width
from nlgauge.report.pictures.words import (
    GAP,
    HEAD,
    HEIGHT,
    MARGIN,
    draw_title,
    draw_word,
    in_a_row,
    joined,
    right_to_left,
    shown,
    word_width,
    wrapped,
)

# Fill, opacity and the letter below.
KINDS = {
    "match": ("blank", 1.0, ""),
    "substitute": ("series4", 0.4, "S"),
    "delete": ("series5", 0.4, "D"),
    "insert": ("series1", 0.4, "I"),
}
SHIFT = HEIGHT + 40  # the height of a row with a shift
LINE = 2 * HEIGHT + 34  # of a line of edits, where they are broken into several
KEY = "S substitute · D delete · I insert"


@dataclass(frozen=True, eq=False)
class EditsPicture(PhoneLayout):
    """The picture has each shift in a row of its own, then the hypothesis above the reference.

    On a phone, shifts are told in words, and the edits are broken into lines.
    """

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
        if self.narrow:
            lines = self._places()[-1][1] + 1 if self.trace.script else 0
            return PHONE, HEAD + 18 * len(self._told()) + LINE * lines + 26
        rows = [in_a_row(map(shown, self.trace.before_shifts))[-1] - GAP]
        rows.append(MARGIN + sum(self._wide(*words) + 4 for _, *words in self._steps()))
        rows.append(MARGIN + text_width(KEY, 10))
        height = HEAD + SHIFT * len(self.trace.shifts) + 2 * HEIGHT + 54
        return max(rows) + MARGIN, height

    def draw(self, canvas: Canvas) -> None:
        """Draw the rows from top to bottom."""
        draw_title(canvas, self.title, self.size[0])
        y = self._draw_told(canvas) if self.narrow else self._draw_shifts(canvas)
        for (edit, hyp, ref), (x, line) in zip(self._steps(), self._places(), strict=True):
            wide, top = self._wide(hyp, ref), y + LINE * line
            x = self._from_side(x, wide)
            fill, opacity, letter = KINDS[edit.operation]
            for text, at in ((hyp, top + 6), (ref, top + HEIGHT + 10)):
                short = clipped(text, wide - 8)
                note = edit.operation if short == text else f"{edit.operation}: {text}"
                draw_word(canvas, x, at, wide, short, fill, opacity=opacity, note=note)
            if letter:
                below = top + 2 * HEIGHT + 22
                canvas.text(x + wide / 2, below, letter, size=10, anchor="middle", colour="muted")
        canvas.text(MARGIN, self.size[1] - 12, KEY, size=10, colour="muted")

    def _wide(self, *words: str) -> float:
        """Return the width of a box for words; on a phone, no word is wider than the screen."""
        wide = max(map(word_width, words))
        return min(wide, PHONE - 2 * MARGIN) if self.narrow else wide

    @property
    def from_right(self) -> bool:
        """Return whether reading begins on the right."""
        return right_to_left([*self.trace.hyp, *self.trace.ref])

    def _from_side(self, x: float, wide: float = 0) -> float:
        """Return where a box starts that is so far from the side where reading begins."""
        return self.size[0] - x - wide if self.from_right else x

    def _places(self) -> list[tuple[float, int]]:
        """Return where each edit starts, and in which line; only a phone has more than one."""
        found, x, line = [], MARGIN, 0
        for _, *words in self._steps():
            if self.narrow and x > MARGIN and x + self._wide(*words) > PHONE:
                x, line = MARGIN, line + 1
            found.append((x, line))
            x += self._wide(*words) + 4
        return found

    def _told(self) -> list[str]:
        """Return the shifts in words, broken into lines."""
        lines: list[str] = []
        words = list(self.trace.before_shifts)
        for shift in self.trace.shifts:
            moved = joined(words[shift.start : shift.start + shift.length])
            before = shown(words[shift.target]) if shift.target < len(words) else "the end"
            lines += wrapped(f"moved: {moved} → before {before}", PHONE - 2 * MARGIN)
            words = shift.apply(words)
        return lines

    def _draw_told(self, canvas: Canvas) -> float:
        """Write the shifts, and return where the edits start."""
        for number, line in enumerate(self._told()):
            canvas.text(MARGIN, HEAD + 14 + 18 * number, line)
        return HEAD + 18 * len(self._told())

    def _draw_shifts(self, canvas: Canvas) -> float:
        """Draw each shift as a row with an arc, and return where the edits start."""
        y, words = HEAD, list(self.trace.before_shifts)
        for shift in self.trace.shifts:
            texts = [shown(word) for word in words]
            places = in_a_row(texts)
            moved = range(shift.start, shift.start + shift.length)
            for i, text in enumerate(texts):
                fill, opacity = ("series3", 0.5) if i in moved else ("blank", 1.0)
                wide = word_width(text)
                x = self._from_side(places[i], wide)
                draw_word(canvas, x, y + 30, wide, text, fill, opacity=opacity)
            start = self._from_side((places[moved.start] + places[moved.stop] - GAP) / 2)
            end = self._from_side(places[shift.target] - GAP / 2)
            canvas.path(_arc(start, end, y + 30), "series3", width=2)
            tip = [(end, y + 30), (end - 4, y + 22), (end + 4, y + 22)]
            canvas.area(tip, "series3")
            words, y = shift.apply(words), y + SHIFT
        return y


def _arc(start: float, end: float, bottom: float) -> Points:
    """Draw a curve over the words, from one place to another."""
    t = np.linspace(0, 1, 25)
    x = start + (end - start) * (3 * t**2 - 2 * t**3)
    return np.column_stack([x, bottom - 4 * 22 * t * (1 - t)])
