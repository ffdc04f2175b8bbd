"""Tell what can be seen of texts without a model: their scripts, blanks between their words, and
whether somebody has tokenised them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from nlgauge.kernels import Texts

SAMPLE = 1000  # texts of a column that are looked at
LENGTH = 2000  # characters of a text that are looked at
_NAMES = {"CJK": "Han", "HIRAGANA": "Kana", "KATAKANA": "Kana", "IDEOGRAPHIC": "Han"}

# Patterns are compiled when first used: a run on Latin text needs few, and starts sooner.

# Scripts without blanks between words: their characters, and how long runs of them are, at least,
# where words are not kept apart. A run counts once for each of its characters; words that were
# kept apart stay at half of that or less.
_UNBROKEN = {
    "Chinese or Japanese": (
        "[々〇\u3041-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff]+",
        5,
    ),
    "Thai": ("[\u0e01-\u0e7f]+", 8),
    "Lao": ("[\u0e81-\u0eff]+", 8),
    "Khmer": ("[\u1780-\u17ff]+", 10),
    "Burmese": ("[\u1000-\u109f]+", 16),
    "Tibetan": ("[\u0f00-\u0fff]+", 16),
}
_FIRST_UNBROKEN = "\u0e01"
_ANY_UNBROKEN = (  # the first and the last of a range
    ("\u0e01", "\u109f"),
    ("\u1780", "\u17ff"),
    ("\u3041", "\u9fff"),
    ("\uf900", "\ufaff"),
)
_KANA = "[\u3041-\u30ff]"
_MARKS = ",;:!?،؛؟।"
_ATTACHED = rf"\w[{_MARKS}](?=\s|$)|\w\.$"
_SEPARATE = rf"(?:^|\s)[{_MARKS}.](?=\s|$)"


def sample(texts: Texts | Sequence[str], size: int = SAMPLE) -> list[str]:
    """Return texts from all over a column, without white space at their ends."""
    step = max(1, len(texts) // size)
    return [texts[i][:LENGTH].strip() for i in range(0, len(texts), step)]


def letters_by_script(texts: Iterable[str]) -> Counter[str]:
    """Count the letters of texts by script: Latin, Cyrillic, Han, Kana, Thai ..."""
    found: Counter[str] = Counter()
    for character, count in Counter("".join(texts)).items():
        if character.isalpha():
            found[_script(character)] += count
    return found


@lru_cache(maxsize=65536)
def _script(character: str) -> str:
    # Python's tables have no scripts, but names of letters begin with theirs.
    name = unicodedata.name(character, "UNNAMED").split()[0].partition("-")[0]
    return _NAMES.get(name, name.capitalize())


def non_ascii_share(texts: Iterable[str]) -> float:
    """Return the share of letters outside of a to z."""
    joined = "".join(texts)
    if joined.isascii():
        return 0.0
    letters = [character for character in joined if character.isalpha()]
    return sum(not c.isascii() for c in letters) / max(1, len(letters))


def decomposed_share(texts: Sequence[str]) -> float:
    """Return the share of texts that Unicode's composed form (NFC) would change."""
    changed = sum(not unicodedata.is_normalized("NFC", text) for text in texts)
    return changed / max(1, len(texts))


def may_be_unbroken(texts: Iterable[str]) -> bool:
    """Return whether texts have any characters of scripts without blanks between words."""
    foreign = (text for text in texts if not text.isascii() and max(text) >= _FIRST_UNBROKEN)
    characters = set("".join(foreign))  # few: a pattern takes longer to compile
    return any(first <= c <= last for first, last in _ANY_UNBROKEN for c in characters)


def unbroken(words: Iterable[str], share: float) -> str | None:
    """Return the script of words that are whole phrases, if these are at least a share of all."""
    joined = " ".join(words)
    letters = sum(not character.isspace() for character in joined)
    for script, (characters, long) in _UNBROKEN.items():
        runs = list(map(len, re.findall(characters, joined)))
        size = sum(runs)
        if size >= max(1, share * letters) and sum(n * n for n in runs) >= long * size:
            return script
    return None


def has_kana(texts: Iterable[str]) -> bool:
    """Return whether texts are Japanese rather than Chinese."""
    return any(re.search(_KANA, text) for text in texts)


def punctuation(texts: Iterable[str]) -> tuple[int, int]:
    """Count the marks that end a word, and those that stand alone between blanks."""
    attached = separate = 0
    for text in texts:
        attached += len(re.findall(_ATTACHED, text))
        separate += len(re.findall(_SEPARATE, text))
    return attached, separate


def full_stops(texts: Iterable[str]) -> tuple[int, int]:
    """Count the texts that end in a full stop, and of these, those where a blank is before it."""
    ends = [text for text in texts if text.endswith((".", "。"))]
    return len(ends), sum(text.endswith((" .", " 。")) for text in ends)
