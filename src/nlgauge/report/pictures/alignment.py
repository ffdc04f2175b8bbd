"""Draw the words of both sides with lines between those that were matched."""

from __future__ import annotations

from dataclasses import dataclass

from nlgauge.explain.traces import Alignment
from nlgauge.report.figures.canvas import Canvas, series
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

TOP, BOTTOM = HEAD + 18, HEAD + 118  # of the two rows


@dataclass(frozen=True)
class AlignmentPicture:
    """The picture gives neighbours that were matched to neighbours one colour."""

    title: str
    trace: Alignment

    @property
    def size(self) -> tuple[float, float]:
        """Return a size that fits the longer text."""
        rows = (in_a_row(map(shown, words))[-1] for words in (self.trace.hyp, self.trace.ref))
        return max(*rows, 240.0) - GAP + MARGIN, BOTTOM + HEIGHT + 10

    def draw(self, canvas: Canvas) -> None:
        """Draw the hypothesis above the reference."""
        trace, (width, _) = self.trace, self.size
        draw_title(canvas, self.title, width)
        middles: list[list[float]] = []
        for words in (trace.hyp, trace.ref):
            texts = [shown(word) for word in words]
            places = zip(in_a_row(texts), map(word_width, texts), strict=False)
            found = [x + wide / 2 for x, wide in places]
            middles.append([width - x for x in found] if right_to_left(words) else found)
        colours: list[dict[int, str]] = [{}, {}]
        for number, run in enumerate(trace.runs()):
            for link in run:
                colours[0][link.hyp] = colours[1][link.ref] = series(number)
                ends = (middles[0][link.hyp], TOP + HEIGHT), (middles[1][link.ref], BOTTOM)
                exact = link.label in ("", "exact")
                canvas.path(
                    ends, series(number), width=2, dashed=not exact, note=link.label or "match"
                )
        for side, (words, y) in enumerate(((trace.hyp, TOP), (trace.ref, BOTTOM))):
            canvas.text(MARGIN, y - 5, ("hypothesis", "reference")[side], size=10, colour="muted")
            for place, word in enumerate(map(shown, words)):
                wide = word_width(word)
                x = middles[side][place] - wide / 2
                if place in colours[side]:
                    draw_word(canvas, x, y, wide, word, colours[side][place], opacity=0.3)
                else:
                    draw_word(canvas, x, y, wide, word, "blank", ink="muted")
