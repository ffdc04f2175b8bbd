"""Turn numbers into colours that every kind of eye can read, also in grey."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

Map = Literal["sequential", "diverging"]

# Light to dark blue, even in lightness; and from orange over white to blue.
_STOPS: dict[str, tuple[str, ...]] = {
    "sequential": ("#f7fbff", "#dbe9f6", "#b3d3ea", "#79b5d9", "#4190c5", "#1c69ad", "#084488"),
    "diverging": ("#b35806", "#e08a3c", "#fdc98a", "#f7f7f7", "#a6cde4", "#4a98c9", "#1f5fa5"),
}


def colour_at(position: float, kind: Map = "sequential") -> str:
    """Return the colour at a position between 0 and 1."""
    stops = [[int(stop[i : i + 2], 16) for i in (1, 3, 5)] for stop in _STOPS[kind]]
    place = float(np.clip(position, 0, 1)) * (len(stops) - 1)
    k = min(int(place), len(stops) - 2)
    mixed = (a + (b - a) * (place - k) for a, b in zip(stops[k], stops[k + 1], strict=True))
    return "#" + "".join(f"{round(value):02x}" for value in mixed)


def ink_on(colour: str) -> str:
    """Return black or white, whichever has the higher contrast to a colour by WCAG's formula."""
    background = _luminance(colour)
    return max(
        ("#000000", "#ffffff"),
        key=lambda ink: abs(math.log((_luminance(ink) + 0.05) / (background + 0.05))),
    )


def _luminance(colour: str) -> float:
    """Return the relative luminance of a colour, between 0 and 1."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
