"""Words between ASCII white space, as C, Java and Perl split bytes: no-break and thin blanks stay
inside them.

The kernels split at all white space of Unicode, so what shall not split is put behind
noncharacters, code points that are never text.
"""

from __future__ import annotations

BLANKS = " \t\n\v\f\r"
_OTHERS = (
    *range(0x1C, 0x20),
    *(0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000),
)
HIDDEN = {blank: 0xFDD0 + k for k, blank in enumerate(_OTHERS)}
EMPTY = chr(0xFDD0 + len(HIDDEN))  # stands for a word without characters


def tokenise(text: str) -> str:
    """The text, with all other white space hidden."""
    return text.translate(HIDDEN)
