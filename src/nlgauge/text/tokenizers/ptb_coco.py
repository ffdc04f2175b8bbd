"""Split captions as the COCO caption tools do (pycocoevalcap 1.2): into Stanford's words, in lower
case, without punctuation marks.
"""

from __future__ import annotations

from nlgauge.text.tokenizers.ptb import ptb_words

# Brackets are in the tool's list as -LRB-, but its words are in lower case by then, and stay.
_PUNCTUATION = frozenset("'' ' `` ` . ? ! , : - -- ... ;".split())


def tokenise(text: str) -> str:
    """Return the words of a caption, joined by blanks."""
    lowered = map(str.lower, ptb_words(text))
    return " ".join(word for word in lowered if word not in _PUNCTUATION)
