"""What figures are drawn on: a few primitives, with colours given by their role.

Lengths are CSS pixels (96 to an inch), y grows downwards. A colour is a role, which the page may
theme, or `#rrggbb` where it stands for a number.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

Points = Sequence[tuple[float, float]] | npt.NDArray[np.float64]  # [n, 2]
Anchor = Literal["start", "middle", "end"]

FONT = 12.0
# Roles on white paper. The series are Okabe and Ito's, told apart by every kind of eye.
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
}
SERIES = 8


class Canvas(Protocol):
    """Where a figure draws; `note` is shown where the pointer rests on a mark."""

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        colour: str,
        *,
        width: float = 1,
        dashed: bool = False,
    ) -> None:
        """A straight line."""

    def path(
        self, points: Points, colour: str, *, width: float = 1, dashed: bool = False, note: str = ""
    ) -> None:
        """Straight lines through the points."""

    def area(
        self, points: Points, fill: str, *, opacity: float = 1, edge: str = "", note: str = ""
    ) -> None:
        """A closed, filled shape; `edge` is the colour of its outline."""

    def disc(
        self, x: float, y: float, radius: float, fill: str, *, opacity: float = 1, note: str = ""
    ) -> None:
        """A filled circle."""

    def dots(self, points: Points, radius: float, fill: str, *, opacity: float = 1) -> None:
        """Many discs at once."""

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
        """A line of text on the baseline (x, y); `upwards` turns it by a quarter to the left."""


class Figure(Protocol):
    """Numbers and labels that can draw themselves."""

    @property
    def title(self) -> str:
        """What it shows, in a line."""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""

    def draw(self, canvas: Canvas) -> None:
        """All of it."""


def box(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    """The corners of a rectangle."""
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def text_width(text: str, size: float = FONT) -> float:
    """About how wide a text is; no font is looked at."""
    return size * sum(map(_share, text))


def _share(character: str) -> float:
    """Of the size, as in a font that is rather wide."""
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if character in "iljtfrI.,:;|!'()[]/- ":
        return 0.38
    if character in "mwMW@%=+−–<>#&":
        return 0.87
    return 0.7 if character.isupper() else 0.62


def clipped(text: str, width: float, size: float = FONT) -> str:
    """The text, cut with an ellipsis if it is wider than `width`."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(text + "…", size) > width:
        text = text[:-1]
    return text + "…"


def series(number: int) -> str:
    """The role of the n-th of several groups."""
    return f"series{number % SERIES}"
