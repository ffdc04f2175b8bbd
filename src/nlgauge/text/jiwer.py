"""jiwer's words (4.0): two or more white space characters become a blank, and blanks split."""

from __future__ import annotations

import re

from nlgauge.text.ascii_space import BLANKS, EMPTY, HIDDEN

_RUN = re.compile(r"\s\s+")
_HIDDEN = {**HIDDEN, **{ord(c): ord(EMPTY) + k for k, c in enumerate(BLANKS[1:], start=1)}}


def tokenise(text: str) -> str:
    """Blank-separated words; single tabs and no-break blanks stay inside them."""
    return _RUN.sub(" ", text).strip().translate(_HIDDEN)
