"""Draw the words of both sides with lines between those that were matched."""

from __future__ import annotations

from dataclasses import dataclass

from nlgauge.explain.traces import Alignment
from nlgauge.report.figures.canvas import PHONE, Anchor, Canvas, PhoneLayout, clipped, series
from nlgauge.report.pictures.words import (
    GAP,
    HEAD,
    HEIGHT,
    MARGIN,
    draw_title,
    draw_word,
    in_a_row,
    right_to_left,
    shown,
    word_width,
)

TOP, BOTTOM = ROWS = HEAD + 18, HEAD + 118  # of the two rows
DOWN = HEIGHT + 4  # from word to word in the columns of a phone
COLUMN = 130.0  # the width of such a column
Place = tuple[float, float, float]  # left, top and width of a word


@dataclass(frozen=True, eq=False)
class AlignmentPicture(PhoneLayout):
    """The picture gives neighbours that were matched to neighbours one colour.

    On a phone, the texts run down side by side.
    """

    title: str
    trace: Alignment

    def narrowed(self) -> AlignmentPicture:
        """Return the texts side by side; characters one by one would make a very long picture."""
        words = [*self.trace.hyp, *self.trace.ref]
        single = sum(len(word) == 1 for word in words)
        return self if 2 * single > len(words) else super().narrowed()

    @property
    def from_right(self) -> bool:
        """Return whether reading begins on the right."""
        return right_to_left([*self.trace.hyp, *self.trace.ref])

    @property
    def size(self) -> tuple[float, float]:
        """Return a size that fits the longer text."""
        if self.narrow:
            return PHONE, TOP + DOWN * max(len(self.trace.hyp), len(self.trace.ref)) + 6
        rows = (in_a_row(map(shown, words))[-1] for words in (self.trace.hyp, self.trace.ref))
        return max(*rows, 240.0) - GAP + MARGIN, BOTTOM + HEIGHT + 20

    def draw(self, canvas: Canvas) -> None:
        """Draw the hypothesis above the reference, or left of it."""
        trace, boxes = self.trace, self._boxes()
        draw_title(canvas, self.title, self.size[0])
        colours: list[dict[int, str]] = [{}, {}]
        for number, run in enumerate(trace.runs()):
            for link in run:
                colours[0][link.hyp] = colours[1][link.ref] = series(number)
                ends = self._ends(boxes[0][link.hyp], boxes[1][link.ref])
                exact = link.label in ("", "exact")
                canvas.path(
                    ends, series(number), width=2, dashed=not exact, note=link.label or "match"
                )
        for side, words in enumerate((trace.hyp, trace.ref)):
            x, y = (PHONE - COLUMN, TOP) if self.narrow and side else (MARGIN, ROWS[side])
            below = side and not self.narrow  # where no line runs
            y += HEIGHT + 13 if below else -5
            anchor: Anchor = "start"
            if self.from_right and not self.narrow:  # where reading begins
                x, anchor = self.size[0] - MARGIN, "end"
            name = ("hypothesis", "reference")[side]
            canvas.text(x, y, name, size=10, anchor=anchor, colour="muted")
            for place, word in enumerate(map(shown, words)):
                left, top, wide = boxes[side][place]
                text = clipped(word, wide - 8)
                if place in colours[side]:
                    draw_word(canvas, left, top, wide, text, colours[side][place], opacity=0.3)
                else:
                    draw_word(canvas, left, top, wide, text, "blank", ink="muted")

    def _boxes(self) -> list[list[Place]]:
        """Return the places of the words of both sides."""
        made: list[list[Place]] = []
        for side, words in enumerate((self.trace.hyp, self.trace.ref)):
            if self.narrow:
                left = PHONE - COLUMN if side else MARGIN
                made.append([(left, TOP + DOWN * i, COLUMN - MARGIN) for i in range(len(words))])
                continue
            texts = [shown(word) for word in words]
            places = list(zip(in_a_row(texts), map(word_width, texts), strict=False))
            if right_to_left(words):
                places = [(self.size[0] - x - wide, wide) for x, wide in places]
            made.append([(x, ROWS[side], wide) for x, wide in places])
        return made

    def _ends(self, hyp: Place, ref: Place) -> list[tuple[float, float]]:
        """Return where the line between two words starts and ends."""
        if self.narrow:
            return [(hyp[0] + hyp[2], hyp[1] + HEIGHT / 2), (ref[0], ref[1] + HEIGHT / 2)]
        return [(hyp[0] + hyp[2] / 2, TOP + HEIGHT), (ref[0] + ref[2] / 2, BOTTOM)]
