"""Hide white space that does not split words, and show it again.

The kernels split rewritten texts at all white space of Unicode, so what shall not split is put
behind noncharacters, code points that are never text, and is put back before people see it.
"""

from __future__ import annotations

BLANKS = " \t\n\v\f\r"  # where C, Java and Perl split bytes
_OTHERS = (
    *range(0x1C, 0x20),
    *(0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000),
)
BUT_ASCII = {blank: 0xFDD0 + k for k, blank in enumerate(_OTHERS)}
EMPTY = chr(0xFDD0 + len(BUT_ASCII))  # stands for a word without characters
BUT_THE_BLANK = {
    **BUT_ASCII,
    **{ord(c): ord(EMPTY) + k for k, c in enumerate(BLANKS[1:], start=1)},
}
_SHOWN = {hidden: blank for blank, hidden in BUT_THE_BLANK.items()}


def reveal(words: list[list[str]]) -> list[list[str]]:
    """Put the white space back that was hidden in words."""
    return [[w if w.isascii() else w.translate(_SHOWN) for w in text] for text in words]
