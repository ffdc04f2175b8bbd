"""English words as newer treebanks have them (the English Web Treebank, OntoNotes): as in the Penn
Treebank, and split at hyphens.
"""

from __future__ import annotations

import re

from nlgauge.text.word_lists import word_pairs

_APOSTROPHE = "['’`´]"
# Prefixes that stay with their word.
_AFFIXES = "e|co|ex|re|un|non|pre|post|anti|pro|semi|multi|inter|mid|mini|micro|over|sub|super|ultra|x|t"
_WORDS = re.compile(
    rf"""
      (?:https?://|ftp://|www\.)[^\s<>"]*[^\s<>".,;:!?)\]'’]     # addresses
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+
    | \b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|co\.uk|html?|asp|php|pdf|doc|xls|ppt|txt)\b(?:/\S*[\w/])?
    | [<>]?[:;=8][-o*']?[)\](\[dDpP/\\|}}{{@](?!\w) | <3 | \^_\^   # faces
    | \.{{2,}} | …+ | -{{2,}} | [!?]{{2,}} | [<>]{{2,}} | \${{2,}} | ([_*=~\#+])\1+
    | \d{{1,2}}:\d\d(?::\d\d)? | \d+(?:/\d+)+(?!\w)
    | \d{{1,3}}[-.]\d{{3}}[-.]\d{{4}}(?!\w) | \d{{1,3}}-\d{{4}}(?!\w)   # telephones
    | (?<!\w)[+-]?(?:\d+(?:,\d{{3}})+|\d+)(?:\.\d+)?(?:st|nd|rd|th|s)?(?![\w]) | \.\d+(?!\w)
    | (?:[A-Za-z]\.){{2,}}                                       # U.S., p.m.
    | (?i:{_AFFIXES})-\w+                                        # e-mail
    | \w+(?:&\w+)+                                               # AT&T
    | \w+(?:\.\w+)+(?!\w)                                        # version.2
    | \w+(?:{_APOSTROPHE}\w+)*(?:\.(?![.\w]))?
    | {_APOSTROPHE}(?:s|m|d|re|ve|ll|em|til|cause|tis|twas|bout)(?!\w) | {_APOSTROPHE}\d\ds?(?!\w)
    | `` | ''
    | \S
    """,
    re.VERBOSE | re.UNICODE | re.IGNORECASE,
)
_PARTS = re.compile(rf"(?i)^(.+)(n{_APOSTROPHE}t|{_APOSTROPHE}(?:s|m|d|re|ve|ll))$")
# Two words that are written as one.
_JOINED = {
    **{"cannot": 3, "gonna": 3, "gotta": 3, "wanna": 3, "gimme": 3, "lemme": 3, "dunno": 2},
    **{"cant": 2, "dont": 2, "didnt": 4, "doesnt": 4, "isnt": 2, "wasnt": 3, "wont": 2},
    **{"couldnt": 5, "wouldnt": 5, "shouldnt": 6, "havent": 4, "hasnt": 3, "arent": 3},
    **{"im": 1, "ive": 1, "thats": 4, "youre": 3, "whats": 4},
}
_OTHERS = "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec etc vs approx dept est ext inc ltd co corp".split()
_CLOSING = "\"'”’)]}"


def penn_words(text: str) -> list[str]:
    """The words of one sentence; white space aside, they are the text."""
    found: list[str] = []
    matches = list(_WORDS.finditer(text))
    for number, match in enumerate(matches):
        word = match.group()
        last = all(m.group() in _CLOSING for m in matches[number + 1 :])
        if len(word) > 1 and word.endswith(".") and word[-2].isalnum() and not _keeps(word, last):
            found += [*_split(word[:-1]), "."]
        else:
            found += _split(word)
    return found


def penn_sentences(text: str) -> list[str]:
    """A text's sentences: lines, and what a mark ends before white space and a capital letter."""
    found = []
    for line in text.splitlines():
        start = 0
        for match in _END.finditer(line):
            word = line[start : match.start(1)].rsplit(None, 1)[-1:]
            if match.group(1)[0] == "." and word and _abbreviates(word[0]):
                continue
            found.append(line[start : match.end(1)])
            start = match.end()
        found.append(line[start:])
    return [sentence for sentence in map(str.strip, found) if sentence]


_END = re.compile(r"([.!?…]+[\"'”’)\]]*)\s+(?=[\"'“‘(\[]*[A-Z0-9])")


def _keeps(word: str, last: bool) -> bool:
    """Whether a dot at the end belongs to the word."""
    if word.count(".") > 1:
        return True
    return not last and _abbreviates(word[:-1])


def _abbreviates(word: str) -> bool:
    word = word.lstrip("\"'“‘([")
    if len(word) == 1:
        return word.isupper() and word != "I"
    return word in _abbreviations() or bool(re.fullmatch(r"(?:[A-Za-z]\.)+[A-Za-z]", word))


def _abbreviations() -> frozenset[str]:
    global _known
    if _known is None:
        known = {*word_pairs("abbreviations-en"), *_OTHERS}
        _known = frozenset(known | {word.lower() for word in known if len(word) > 2})
    return _known


_known: frozenset[str] | None = None


def _split(word: str) -> list[str]:
    at = _JOINED.get(word.lower())
    if at is not None:
        return [word[:at], word[at:]]
    match = _PARTS.match(word)
    return [*_split(match[1]), match[2]] if match else [word]
