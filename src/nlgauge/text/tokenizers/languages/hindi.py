"""Normalise Hindi before it is split: spellings that writers treat as the same become one.

Letters with a dot below are composed alike, chandrabindu becomes anusvara, joiners that nobody sees
are removed, and digits become European ones. The danda is punctuation.
"""

from __future__ import annotations

import unicodedata

from nlgauge.kernels import Texts, native

_CHANGED = {
    "\u0901": "\u0902",
    "\u200c": "",
    "\u200d": "",
    **{chr(0x0966 + digit): str(digit) for digit in range(10)},
}
_TABLE = str.maketrans(_CHANGED)


def tokenise(text: str) -> str:
    """Return the words of the normalised text, split as `intl` does, joined by blanks."""
    normal = unicodedata.normalize("NFC", text).translate(_TABLE)
    return " ".join(native.tokenize(Texts([normal]), "intl", False, None)[0])
