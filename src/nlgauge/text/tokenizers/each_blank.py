"""Split as Python's `text.split(" ")`, which pycocoevalcap's ROUGE-L uses: every blank splits, so
that there are words without characters between two of them and in an empty text.
"""

from __future__ import annotations

from nlgauge.text.tokenizers.hidden_blanks import BUT_THE_BLANK, EMPTY


def tokenise(text: str) -> str:
    """Return blank-separated words, with a sign for those without characters."""
    return " ".join(word.translate(BUT_THE_BLANK) or EMPTY for word in text.split(" "))
