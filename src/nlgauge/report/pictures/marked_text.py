"""Draw a text with the errors that were marked in it."""

from __future__ import annotations

from dataclasses import dataclass

from nlgauge.explain.traces import MarkedText
from nlgauge.report.figures.canvas import PHONE, Canvas, PhoneLayout, box, text_width
from nlgauge.report.pictures.words import HEAD, MARGIN, draw_title, right_to_left, shown

WIDTH, LINE, WORD = 620.0, 26.0, 12.0
# Colours that differ in lightness as well, by severity.
FILLS = {"neutral": "#dbe9f6", "minor": "#fdc98a", "major": "#e08a3c", "critical": "#b35806"}


@dataclass(frozen=True)
class MarkedTextPicture(PhoneLayout):
    """The picture has the text in lines, with a box behind what is wrong."""

    title: str
    trace: MarkedText

    @property
    def _width(self) -> float:
        return PHONE if self.narrow else WIDTH

    def _lines(self) -> list[list[tuple[str, str, float]]]:
        """Return the words of each line, with severity and width; errors break lines, too."""
        lines: list[list[tuple[str, str, float]]] = [[]]
        used = 0.0
        for piece, severity in self.trace.pieces():
            for word in piece.replace(" ", "\0 \0").split("\0"):
                if not word:
                    continue
                wide = text_width(word, WORD) if word != " " else 5.0
                if used + wide > self._width - 2 * MARGIN and lines[-1]:
                    lines.append([])
                    used = 0.0
                lines[-1].append((word, severity, wide))
                used += wide
        return lines

    @property
    def size(self) -> tuple[float, float]:
        """Return a size that fits all lines, and what stands below them."""
        return self._width, HEAD + LINE * (len(self._lines()) + len(self._below())) + MARGIN

    def _below(self) -> list[str]:
        """Return the errors that have no place in the text, and what a judge answered."""
        lost = (error for error in self.trace.errors if error.place is None)
        said = (", ".join(filter(None, (error.severity, error.category))) for error in lost)
        return [*(f"not in the text: {each}" for each in said), *self.trace.answers]

    def draw(self, canvas: Canvas) -> None:
        """Draw the lines, and below them what has no place in the text."""
        draw_title(canvas, self.title, self._width)
        backwards = right_to_left([self.trace.text])
        y = HEAD + LINE / 2
        for line in self._lines():
            x = MARGIN
            for word, severity, wide in line:
                left = self._width - x - wide if backwards else x
                if severity:
                    fill = FILLS.get(severity, FILLS["minor"])
                    canvas.area(box(left, y - 13, wide, 19), fill, opacity=0.55, note=severity)
                if word.strip():
                    canvas.text(left, y, shown(word), size=WORD, note=severity)
                x += wide
            y += LINE
        for said in self._below():
            canvas.text(MARGIN, y, said, size=11, colour="muted")
            y += LINE
