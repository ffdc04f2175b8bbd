"""Tell which characters are punctuation marks: Unicode's categories P and S."""

from __future__ import annotations

import sys
import unicodedata
from functools import cache


@cache
def marks() -> frozenset[str]:
    """Return all punctuation marks and symbols."""
    characters = map(chr, range(sys.maxunicode + 1))
    return frozenset(c for c in characters if unicodedata.category(c)[0] in "PS")
