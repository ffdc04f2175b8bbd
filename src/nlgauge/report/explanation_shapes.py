"""What pictures of explanations are drawn from: words in boxes."""

from __future__ import annotations

import unicodedata
from html import escape

CHARACTER, HEIGHT, GAP, MARGIN = 8.6, 26, 8, 12


def word_width(word: str) -> float:
    """How wide the box of a word is."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in word)
    narrow = sum(not unicodedata.combining(c) for c in word) - wide
    return CHARACTER * (narrow + 1.7 * wide) + 8


def box(x: float, y: float, width: float, word: str, fill: str, ink: str = "#212529") -> str:
    """A word in a box."""
    return (
        f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{HEIGHT}" rx="4" fill="{fill}"/>'
        f'<text x="{x + width / 2:.1f}" y="{y + 18}" text-anchor="middle" fill="{ink}">'
        f"{escape(word)}</text>"
    )


def svg(width: float, height: float, body: str) -> str:
    """A picture."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">{body}</svg>'
    )
