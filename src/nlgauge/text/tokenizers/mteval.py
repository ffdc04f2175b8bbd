"""Split words, with punctuation marks as words of their own (Leusch et al., 2005, section 3.1).

Decimal points and commas stay inside numbers, hyphens and apostrophes inside words.
"""

from __future__ import annotations

from nlgauge.text.punctuation import marks

_JOINERS = frozenset("'’-‐‑")
_DECIMAL = frozenset(".,")


def tokenise(text: str) -> str:
    """Return the words of a text, joined by blanks."""
    marked = marks()
    out = []
    for i, c in enumerate(text):
        if c not in marked:
            out.append(c)
            continue
        before, after = text[i - 1 : i], text[i + 1 : i + 2]
        inside_word = c in _JOINERS and _in_word(before, marked) and _in_word(after, marked)
        inside_number = c in _DECIMAL and before.isdigit() and after.isdigit()
        out.append(c if inside_word or inside_number else f" {c} ")
    return "".join(out)


def _in_word(c: str, marked: frozenset[str]) -> bool:
    return bool(c) and not c.isspace() and c not in marked
