"""Words as the structure models see them: word pieces, and the shape that an encoder without
capitals does not see.
"""

from __future__ import annotations

from collections.abc import Sequence

SHAPES = 6


def shape(word: str) -> int:
    """Of capitals and digits: what tells `US` from `us`."""
    if any(c.isdigit() for c in word):
        return 4
    if not any(c.isalpha() for c in word):
        return 5
    if not any(c.isupper() for c in word):
        return 0
    if word[0].isupper() and not any(c.isupper() for c in word[1:]):
        return 1
    return 2 if len(word) > 1 and not any(c.islower() for c in word) else 3


def shapes(words: Sequence[str]) -> list[int]:
    """Of each word."""
    return [shape(word) for word in words]
