"""Split words as jiwer (4.0) does: runs of white space become a blank, and blanks split."""

from __future__ import annotations

import re

from nlgauge.text.tokenizers.hidden_blanks import BUT_THE_BLANK

_RUN = re.compile(r"\s\s+")


def tokenise(text: str) -> str:
    """Return blank-separated words; single tabs and no-break blanks stay inside them."""
    return _RUN.sub(" ", text).strip().translate(BUT_THE_BLANK)
