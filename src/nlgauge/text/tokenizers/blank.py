"""Split words at blanks, as Moses splits lines: tabs and other blanks stay inside them."""

from __future__ import annotations

from nlgauge.text.tokenizers.hidden_blanks import BUT_THE_BLANK


def tokenise(text: str) -> str:
    """Return the text with all other white space hidden."""
    return text.translate(BUT_THE_BLANK)
