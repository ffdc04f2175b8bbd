"""Tell English from other languages in Latin script, by its commonest words.

A fifth of running English is words that hardly any other language in Latin script writes alike, and
two fifths are those and short words that some share. Names and short answers have neither, so that
few words prove nothing, and texts of up to three words are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

MOST_TEXTS = 200  # that are looked at
SHORTEST = 4  # words of a text that is counted
FEWEST_WORDS = 8  # that tell anything
OWN_SHARE = 0.05  # of running English are words of its own, ...
COMMON_SHARE = 0.20  # or these and words that it shares, at least

OWN = frozenset(
    """about after also and any are because been before being between both but could did does
    don't during each first from have how i'm into it it's its just more most much my new not only
    other our out over she should some such than that the their them then there these they this
    those through time up us very were what when where which while who with would you your
    """.split()
)
SHARED = frozenset(
    """a all an as at be by can do for had has he her him his i if in is me no now of on one or so
    to was we will""".split()
)
_LETTER = "A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff"
_WORD = re.compile(f"[{_LETTER}]+(?:['’][{_LETTER}]+)?")


class CommonWords(NamedTuple):
    """Common words are how many words texts have, and how many of these are common in English."""

    words: int
    own: int
    shared: int

    @property
    def foreign(self) -> bool:
        """Return whether running English hardly ever has so few of them."""
        return (
            self.words >= FEWEST_WORDS
            and self.own < OWN_SHARE * self.words
            and self.own + self.shared < COMMON_SHARE * self.words
        )


def common_words(texts: Sequence[str]) -> CommonWords:
    """Count words in Latin script in a sample of texts, and those that are common in English."""
    words = own = shared = 0
    for text in texts[:: max(1, len(texts) // MOST_TEXTS)]:
        found = _WORD.findall(text.lower().replace("’", "'"))
        if len(found) >= SHORTEST:
            words += len(found)
            own += sum(word in OWN for word in found)
            shared += sum(word in SHARED for word in found)
    return CommonWords(words, own, shared)


def lacks_english(texts: Sequence[str], *others: Sequence[str]) -> bool:
    """Return whether texts are in another language, judged by others if they have too few words."""
    found = common_words(texts)
    if found.words < FEWEST_WORDS:
        found = common_words([*chain.from_iterable(others)])
    return found.foreign
