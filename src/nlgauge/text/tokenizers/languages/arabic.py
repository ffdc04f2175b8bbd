"""Normalise Arabic before it is split: spellings that writers treat as the same become one.

Vowel marks and the stretching line are removed; forms of alef, and final ya and ta marbuta with
what is written for them, become one letter each; digits become European ones.
"""

from __future__ import annotations

import re

from nlgauge.kernels import Texts, native

_MARKS = re.compile("[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]")
_LETTERS = str.maketrans(
    "\u0622\u0623\u0625\u0671\u0649\u0629", "\u0627\u0627\u0627\u0627\u064a\u0647"
)
_DIGITS = str.maketrans(
    "\u0660\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668\u0669", "0123456789"
)


def tokenise(text: str) -> str:
    """Return the words of the normalised text, split as `intl` does, joined by blanks."""
    normal = _MARKS.sub("", text).translate(_LETTERS).translate(_DIGITS)
    return " ".join(native.tokenize(Texts([normal]), "intl", False, None)[0])
