"""Split English as newer treebanks do (the English Web Treebank, OntoNotes): as in the Penn
Treebank, and at hyphens.
"""

from __future__ import annotations

import re
from functools import cache

from nlgauge.text.word_lists import word_pairs

_APOSTROPHE = "['’`´]"
# Prefixes that stay with their word.
_AFFIXES = (
    "e|co|ex|re|un|non|pre|post|anti|pro|semi|multi|inter|mid|mini|micro|over|sub|super|ultra|x|t"
)
# Repetitions are bounded where they would be tried again from the next word on.
_WORDS = re.compile(
    rf"""
      (?:https?://|ftp://|www\.)[^\s<>"]*[^\s<>".,;:!?)\]'’]      # addresses
    | [\w.+-]{{1,64}}@[\w-]{{1,64}}(?:\.[\w-]{{1,64}}){{1,8}}
    | \b[\w-]{{1,64}}(?:\.[\w-]{{1,64}}){{0,8}}
      \.(?:com|org|net|edu|gov|co\.uk|html?|asp|php|pdf|doc|xls|ppt|txt)\b(?:/\S*[\w/])?
    | [<>]?[:;=][-o*']?[)\](\[dp/\\|}}{{@](?!\w) | <3 | \^_\^     # faces
    | \.{{2,}} | …+ | -{{2,}} | [!?]{{2,}} | [<>]{{2,}} | \${{2,}} | ([_*=~\#+])\1+
    | \d{{1,2}}:\d\d(?::\d\d)? | \d+(?:/\d+){{1,8}}(?!\w)         # times and dates
    | \d{{1,3}}[-.]\d{{3}}[-.]\d{{4}}(?!\w) | \d{{1,3}}-\d{{4}}(?!\w)
    | (?<!\w)[+-]?(?:\d+(?:,\d{{3}})+|\d+)(?:\.\d+)?(?:st|nd|rd|th|s)?(?!\w) | \.\d+(?!\w)
    | (?:[a-z]\.){{2,}}                                           # U.S., p.m.
    | (?:{_AFFIXES})-\w+                                          # e-mail
    | \w+(?:&\w+)+                                                # AT&T
    | \w+(?:\.\w+)+
    | \w+(?:{_APOSTROPHE}\w+)*(?:\.(?![.\w]))?
    | {_APOSTROPHE}(?:s|m|d|re|ve|ll|em|til|cause|tis|twas|bout)(?!\w) | {_APOSTROPHE}\d\ds?(?!\w)
    | `` | ''
    | \S
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PARTS = re.compile(rf"(?i)(?<!^)(n{_APOSTROPHE}t|{_APOSTROPHE}(?:s|m|d|re|ve|ll))$")
_LONGEST_PART = 3  # characters of n't, 're
# Two words that are written as one, and where the second starts.
_JOINED = {
    **{"cannot": 3, "gonna": 3, "gotta": 3, "wanna": 3, "gimme": 3, "lemme": 3, "dunno": 2},
    **{"cant": 2, "dont": 2, "didnt": 3, "doesnt": 4, "isnt": 2, "wasnt": 3, "wont": 2},
    **{"couldnt": 5, "wouldnt": 5, "shouldnt": 6, "havent": 4, "hasnt": 3, "arent": 3},
    **{"im": 1, "ive": 1, "thats": 4, "youre": 3, "whats": 4},
}
_ABBREVIATIONS = """
    Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec etc vs approx dept est ext inc ltd co corp
""".split()
_CLOSING = "\"'”’)]}"
_END = re.compile(r"(?<![.!?…])([.!?…]+[\"'”’)\]]*)\s+(?=[\"'“‘(\[]*[A-Z0-9])")


def penn_words(text: str) -> list[str]:
    """Return the words of one sentence; white space aside, they are the text."""
    found: list[str] = []
    pieces = [match.group() for match in _WORDS.finditer(text)]
    end = len(pieces)  # where nothing but closing marks is left
    while end > 0 and pieces[end - 1] in _CLOSING:
        end -= 1
    for number, word in enumerate(pieces, start=1):
        if len(word) > 1 and word[-1] == "." and word[-2].isalnum() and word.count(".") == 1:
            keeps = number < end and _abbreviates(word[:-1])
            found += [word] if keeps else [*_split(word[:-1]), "."]
        else:
            found += _split(word)
    return found


def tokenise(text: str) -> str:
    """Return the words of all sentences, joined by blanks, as our parsers see them."""
    return " ".join(word for s in penn_sentences(text) for word in penn_words(s))


def penn_sentences(text: str) -> list[str]:
    """Return sentences: lines, and what a mark ends before white space and a capital letter."""
    found = []
    for line in text.splitlines():
        start = 0
        for match in _END.finditer(line):
            word = line[max(start, match.start() - 64) : match.start()].rsplit(None, 1)[-1:]
            if match[1] == "." and word and _abbreviates(word[0]):
                continue
            found.append(line[start : match.end(1)])
            start = match.end()
        found.append(line[start:])
    return [sentence for sentence in map(str.strip, found) if sentence]


def _abbreviates(word: str) -> bool:
    """Return whether a dot after it belongs to it."""
    word = word.lstrip("\"'“‘([")
    if len(word) == 1:
        return word.isupper() and word != "I"
    return word in _abbreviations() or bool(re.fullmatch(r"(?:[A-Za-z]\.)+[A-Za-z]", word))


@cache
def _abbreviations() -> frozenset[str]:
    known = {*word_pairs("abbreviations-en"), *_ABBREVIATIONS}
    return frozenset(known | {word.lower() for word in known if len(word) > 2})


def _split(word: str) -> list[str]:
    """Return contractions as two words, or more."""
    ends: list[str] = []
    end = len(word)
    while match := _PARTS.search(word, max(0, end - _LONGEST_PART - 1), end):
        end = match.start(1)
        ends.append(match[1])
    word = word[:end]
    at = _JOINED.get(word.lower(), len(word))
    return [part for part in (word[:at], word[at:], *reversed(ends)) if part]
