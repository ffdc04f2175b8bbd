"""Split words at punctuation, which is then deleted, apostrophes too (Leusch et al., 2005)."""

from __future__ import annotations

from functools import cache

from nlgauge.text.punctuation import marks


@cache
def _blanks() -> dict[int, str]:
    return {ord(c): " " for c in marks()}


def tokenise(text: str) -> str:
    """Return the words of a text, joined by blanks."""
    return text.translate(_blanks())
