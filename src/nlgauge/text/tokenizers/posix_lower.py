"""Split at ASCII white space, with A to Z in lower case: multi-bleu.perl -lc.

Perl reads bytes there, so that İ, Œ and other letters outside of ASCII keep their case.
"""

from __future__ import annotations

from nlgauge.text.tokenizers import posix

_LOWER = str.maketrans({chr(letter): chr(letter + 32) for letter in range(ord("A"), ord("Z") + 1)})


def tokenise(text: str) -> str:
    """Return the words of a text, joined by blanks."""
    return posix.tokenise(text.translate(_LOWER))
