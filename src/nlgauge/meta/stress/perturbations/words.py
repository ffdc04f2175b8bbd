"""Texts as pieces between blanks, and the word inside a piece's punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

# East Asian text has no blanks between words; its characters are pieces of their own.
_ASIAN = "\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef"
_PIECE = re.compile(rf"[{_ASIAN}]|[^\s{_ASIAN}]+")
_IS_ASIAN = re.compile(f"[{_ASIAN}]")
_WORD = re.compile(r"[^\W_]")  # a character of a word
_ENDS_SENTENCE = re.compile(r"[.!?…。！？][\"'”’)\]]*$")
_AN = re.compile(r"(?i)(?!uni|use|usu|eu|one\b|once\b)[aeiou]|(?i:hour|honest|honou?r)")


class WordParts(NamedTuple):
    """A piece such as `("Hello,` has three parts: what stands before the word, the word, and what
    stands after.
    """

    before: str
    core: str
    after: str


def split(text: str) -> list[str]:
    """Return the pieces of a text between blanks."""
    return _PIECE.findall(text)


def join(pieces: Iterable[str]) -> str:
    """Join pieces with blanks between them, but not beside East Asian characters."""
    text = ""
    for piece in filter(None, pieces):
        close = not text or _IS_ASIAN.match(text[-1]) or _IS_ASIAN.match(piece)
        text += piece if close else f" {piece}"
    return text


def parts(piece: str) -> WordParts:
    """Return the word and the punctuation around it; a mark alone is all `before`."""
    first, last = _WORD.search(piece), _WORD.search(piece[::-1])
    if first is None or last is None:
        return WordParts(piece, "", "")
    start, end = first.start(), len(piece) - last.start()
    return WordParts(piece[:start], piece[start:end], piece[end:])


def core(piece: str) -> str:
    """Return the word in lower case, with a plain apostrophe."""
    return parts(piece).core.lower().replace("’", "'")


def replaced(piece: str, word: str) -> str:
    """Return the piece with another word, which takes over its capitals and its punctuation."""
    before, old, after = parts(piece)
    if old.isupper() and len(old) > 1:
        word = word.upper()
    elif old[:1].isupper():
        word = capital(word)
    return f"{before}{word}{after}"


def capital(word: str) -> str:
    """Return a word with a capital first letter."""
    return word[:1].upper() + word[1:]


def with_articles(pieces: Sequence[str], places: Iterable[int]) -> list[str]:
    """Put `a` or `an` before the words at these places, as they need it."""
    result = list(pieces)
    for i in places:
        if i and core(result[i - 1]) in ("a", "an") and core(result[i]):
            article = "an" if _AN.match(core(result[i])) else "a"
            result[i - 1] = replaced(result[i - 1], article).replace("AN", "An")
    return result


def without(pieces: Sequence[str], places: Iterable[int]) -> list[str]:
    """Leave out the words at these places; the punctuation after them stays, on the word before."""
    left_out = set(places)
    result: list[str] = []
    for i, piece in enumerate(pieces):
        if i not in left_out:
            result.append(piece)
        elif result and (after := parts(piece).after) and not parts(result[-1]).after:
            result[-1] += after
    return result


def sentence_starts(pieces: Sequence[str]) -> list[int]:
    """Return the places where sentences begin."""
    return [i for i in range(len(pieces)) if i == 0 or _ENDS_SENTENCE.search(pieces[i - 1])]
