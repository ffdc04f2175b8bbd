"""Define what figures are drawn on: a few primitives, with colours given by their role.

Lengths are CSS pixels (96 to an inch), y grows downwards. A colour is a role, which the page may
theme, or `#rrggbb` where it stands for a number.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

Points = Sequence[tuple[float, float]] | npt.NDArray[np.float64]  # [n, 2]
Anchor = Literal["start", "middle", "end"]

FONT = 12.0
TITLE, BOLD = 13.0, 1.1  # size of titles, and how much wider bold letters are
PHONE = 336.0  # the width of figures on a narrow screen
MOST_LABEL, USUAL_LABEL = 290.0, 200.0  # widths of names of rows; longer ones make figures wider
# Roles on white paper. The first series are Okabe and Ito's, told apart by every kind of eye; the
# last four are darker than all of these.
LIGHT = {
    "ink": "#212529",
    "muted": "#5c636a",
    "grid": "#e3e6e9",
    "paper": "#ffffff",
    "blank": "#f1f3f5",
    "series0": "#0072b2",
    "series1": "#d55e00",
    "series2": "#009e73",
    "series3": "#cc79a7",
    "series4": "#e69f00",
    "series5": "#56b4e9",
    "series6": "#7a6a00",
    "series7": "#6c757d",
    "series8": "#5b3fa0",
    "series9": "#8c2d04",
    "series10": "#00505c",
    "series11": "#b0006a",
}
# The same on a dark screen.
DARK = {
    "ink": "#e9ecef",
    "muted": "#a6adb4",
    "grid": "#343a40",
    "paper": "#16181b",
    "blank": "#24282c",
    "series0": "#4aa8e0",
    "series1": "#f0803c",
    "series2": "#2bc79a",
    "series3": "#e39ac3",
    "series4": "#f0b840",
    "series5": "#8acdf2",
    "series6": "#c9b84a",
    "series7": "#a6adb4",
    "series8": "#a994e8",
    "series9": "#c98a66",
    "series10": "#5fb3bf",
    "series11": "#f06fb2",
}
SERIES = 12


class Canvas(Protocol):
    """A canvas is where a figure draws; `note` is shown where the pointer rests on a mark."""

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        colour: str,
        *,
        width: float = 1,
        dashed: bool = False,
    ) -> None:
        """Draw a straight line between two points."""

    def path(
        self, points: Points, colour: str, *, width: float = 1, dashed: bool = False, note: str = ""
    ) -> None:
        """Draw straight lines through all the points."""

    def area(
        self, points: Points, fill: str, *, opacity: float = 1, edge: str = "", note: str = ""
    ) -> None:
        """Draw a closed, filled shape; `edge` is the colour of its outline."""

    def disc(
        self, x: float, y: float, radius: float, fill: str, *, opacity: float = 1, note: str = ""
    ) -> None:
        """Draw a filled circle around a point."""

    def dots(self, points: Points, radius: float, fill: str, *, opacity: float = 1) -> None:
        """Draw many discs of one size at once."""

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = FONT,
        anchor: Anchor = "start",
        colour: str = "ink",
        bold: bool = False,
        upwards: bool = False,
        note: str = "",
    ) -> None:
        """Write a line of text on the baseline (x, y); `upwards` turns it to the left."""


class Figure(Protocol):
    """A figure holds numbers and labels and can draw itself."""

    @property
    def title(self) -> str:
        """Return a line that says what the figure shows."""

    @property
    def size(self) -> tuple[float, float]:
        """Return the width and the height of the figure."""

    def draw(self, canvas: Canvas) -> None:
        """Draw the whole figure on a canvas."""

    def narrowed(self) -> Figure:
        """Return the figure laid out for a phone; itself, if it has no such layout."""


_Laid = TypeVar("_Laid", bound="PhoneLayout")


@dataclass(frozen=True, eq=False, kw_only=True)
class PhoneLayout:
    """Figures of this kind have a second layout, no wider than `PHONE` where that is possible."""

    narrow: bool = False

    def narrowed(self: _Laid) -> _Laid:
        """Return the figure laid out for a phone."""
        return replace(self, narrow=True)


def box(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    """Return the corners of a rectangle."""
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def text_width(text: str, size: float = FONT) -> float:
    """Return about how wide a text is; no font is looked at."""
    return size * sum(map(_share, text))


def _share(character: str) -> float:
    """Return a letter's share of the size, as in a font that is rather wide."""
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if character in "iljtfrI.,:;|!'()[]/- ":
        return 0.38
    if character in "mwMW@%=+−–<>#&":
        return 0.87
    return 0.7 if character.isupper() else 0.62


def clipped(text: str, width: float, size: float = FONT) -> str:
    """Return the text, cut with an ellipsis if it is wider than `width`."""
    if text_width(text, size) <= width + 1e-6:
        return text
    while text and text_width(text + "…", size) > width:
        text = text[:-1]
    return text + "…"


def clipped_pair(text: str, width: float, size: float = FONT) -> str:
    """Return two names with a minus between them, each cut on its own, so that both are seen."""
    first, minus, second = text.partition(" − ")
    if not minus or text_width(text, size) <= width + 1e-6:
        return clipped(text, width, size)
    room = width - text_width(minus, size)
    # A short name leaves its room to the other.
    left = max(room / 2, room - text_width(second, size))
    first = clipped(first, left, size)
    return first + minus + clipped(second, room - text_width(first, size), size)


def label_width(labels: Sequence[str]) -> float:
    """Return the room that names of rows need; the longest are cut."""
    return min(MOST_LABEL, max(map(text_width, labels), default=0.0))


def series(number: int) -> str:
    """Return the colour's role of the n-th of several groups."""
    return f"series{number % SERIES}"


def draw_title(canvas: Canvas, title: str, width: float) -> None:
    """Draw the title of a figure that is so wide; what has no room is cut."""
    canvas.text(4, 16, clipped(title, width - 8, TITLE * BOLD), size=TITLE, bold=True)
