"""Split a text into sentences: its lines, or where there is but one, what its punctuation ends."""

from __future__ import annotations

import re

# A mark, closing quotes and brackets, and then white space; East Asian marks need no white space.
_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])[”’」』）]*\s*")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text that are not blank."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) != 1:
        return lines
    return [sentence for sentence in _END.split(lines[0]) if sentence.strip()]
