"""Draw what pictures of texts are made of: words, in boxes and in rows."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence

from nlgauge.report.figures.canvas import BOLD, TITLE, Canvas, box, clipped, text_width

HEIGHT, GAP, MARGIN, HEAD = 24.0, 8.0, 12.0, 30.0  # of boxes, between them; HEAD for the title


def shown(word: str) -> str:
    """Return a word on one line; blanks alone are made visible."""
    return " ".join(word.split()) or "␣"


def word_width(word: str) -> float:
    """Return how wide the box of a word is."""
    return text_width(word) + 12


def draw_title(canvas: Canvas, title: str, width: float) -> None:
    """Write a title on top, cut to the figure."""
    canvas.text(MARGIN, 18, clipped(title, width - MARGIN, TITLE * BOLD), size=TITLE, bold=True)


def draw_word(
    canvas: Canvas,
    x: float,
    y: float,
    width: float,
    word: str,
    fill: str,
    *,
    ink: str = "ink",
    opacity: float = 1,
    note: str = "",
) -> None:
    """Draw a word in the middle of a box."""
    canvas.area(box(x, y, width, HEIGHT), fill, opacity=opacity, note=note)
    canvas.text(x + width / 2, y + HEIGHT / 2 + 4.2, word, anchor="middle", colour=ink, note=note)


def in_a_row(words: Iterable[str], left: float = MARGIN, gap: float = GAP) -> list[float]:
    """Return where the boxes of words start, and at the end where another would."""
    places = [left]
    for word in words:
        places.append(places[-1] + word_width(word) + gap)
    return places


def right_to_left(words: Iterable[str]) -> bool:
    """Return whether most letters are of a script that is written from the right."""
    kinds = [unicodedata.bidirectional(c) for word in words for c in word]
    return 2 * sum(k in ("R", "AL") for k in kinds) > sum(k in ("L", "R", "AL") for k in kinds)


def joined(words: Sequence[str]) -> str:
    """Return a text of words; no blanks stand between characters of scripts that have none."""
    text = ""
    for word in map(shown, words):
        apart = text and not (_wide(text[-1]) and _wide(word[0]))
        text += f" {word}" if apart else word
    return text


def _wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def wrapped(text: str, width: float, measure: Callable[[str], float] = text_width) -> list[str]:
    """Return lines no wider than `width`, broken at blanks where there are any."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if measure(longer) <= width:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        for character in word:
            if lines[-1] and measure(lines[-1] + character) > width:
                lines.append("")
            lines[-1] += character
    return lines
