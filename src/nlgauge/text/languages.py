"""One table of languages: what each of them needs from tokenisers, stemmers and models.

Codes are those of ISO 639-1 (or 639-3 where there is none). What the table says becomes options of
metrics (`nlgauge.core.language_options`), and stands in their signatures.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from nlgauge.errors import SpecError, did_you_mean

ENCODED = frozenset(
    "ar de es fr it ja ko nl pl pt ru th tr zh".split()
)  # that `use` was trained on


class Language(NamedTuple):
    """A language has a code, a name, a script, and the parts that metrics find for it."""

    code: str
    name: str
    script: str = "Latin"
    tokenizer: str = ""  # a name, where the metrics' own do not find words; else theirs hold
    stemmer: str = ""  # Snowball's name of it
    meteor: str = ""  # what METEOR 1.5 calls it, if that needs no file of METEOR's program
    note: str = ""  # what to know before trusting a score

    @property
    def english(self) -> bool:
        """Return whether parts that were made for English fit."""
        return self.code == "en"

    @property
    def cased(self) -> bool:
        """Return whether its script has lower and upper case."""
        return self.script in ("Latin", "Cyrillic", "Greek", "Armenian")

    @property
    def encoder(self) -> str:
        """Return the encoder that measured best among those that know the language, or ""."""
        return "minilm" if self.english else "use" if self.code in ENCODED else ""

    @property
    def stem(self) -> str:
        """Return the name of the stemming, `none` if there is none."""
        if self.english:
            return "porter"
        return f"snowball-{self.code}" if self.stemmer else "none"

    @property
    def stop(self) -> str:
        """Return the list of stop words, `none` if there is none."""
        return "smart" if self.english else "none"

    @property
    def wordnet(self) -> str:
        """Return which WordNet comes with nlgauge."""
        return "3.0" if self.english else "none"

    @property
    def parser(self) -> str:
        """Return the source of parses, trees and roles that comes with nlgauge."""
        return "en" if self.english else "none"

    @property
    def words(self) -> str:
        """Return the tokeniser that finds its words where a metric needs one."""
        return self.tokenizer or "13a"


_BY_CHARACTER = "no blanks between words: words are characters, so that order counts little"
_TABLE = (
    Language("am", "Amharic", "Ethiopic", "intl"),
    Language("ar", "Arabic", "Arabic", "intl", "arabic", note="vowel marks: -tok ar-normalised"),
    Language("az", "Azerbaijani", note="case of dotted and dotless i is folded as in English"),
    Language("be", "Belarusian", "Cyrillic"),
    Language("bg", "Bulgarian", "Cyrillic"),
    Language("bn", "Bengali", "Bengali", "intl"),
    Language("bo", "Tibetan", "Tibetan", "char", note=_BY_CHARACTER),
    Language("ca", "Catalan", stemmer="catalan"),
    Language("cs", "Czech"),
    Language("cy", "Welsh"),
    Language("da", "Danish", stemmer="danish", meteor="da"),
    Language("de", "German", stemmer="german"),
    Language("el", "Greek", "Greek", stemmer="greek"),
    Language("en", "English", stemmer="english", meteor="en"),
    Language("es", "Spanish", stemmer="spanish"),
    Language("et", "Estonian"),
    Language("eu", "Basque", stemmer="basque"),
    Language("fa", "Persian", "Arabic", "intl"),
    Language("fi", "Finnish", stemmer="finnish", meteor="fi"),
    Language("fr", "French", stemmer="french"),
    Language("gu", "Gujarati", "Gujarati", "intl"),
    Language("ha", "Hausa"),
    Language("he", "Hebrew", "Hebrew", "intl"),
    Language("hi", "Hindi", "Devanagari", "intl", "hindi", note="spellings: -tok hi-normalised"),
    Language("hr", "Croatian"),
    Language("hu", "Hungarian", stemmer="hungarian", meteor="hu"),
    Language("hy", "Armenian", "Armenian", "intl", "armenian"),
    Language("id", "Indonesian", stemmer="indonesian"),
    Language("is", "Icelandic"),
    Language("it", "Italian", stemmer="italian", meteor="it"),
    Language("ja", "Japanese", "Kana", "ja-mecab"),
    Language("ka", "Georgian", "Georgian", "intl"),
    Language("kk", "Kazakh", "Cyrillic"),
    Language("km", "Khmer", "Khmer", "char", note=_BY_CHARACTER),
    Language("ko", "Korean", "Hangul", "ko-mecab", note="use lacks rare syllables, and warns"),
    Language("lo", "Lao", "Lao", "char", note=_BY_CHARACTER),
    Language("lt", "Lithuanian", stemmer="lithuanian"),
    Language("lv", "Latvian"),
    Language("ml", "Malayalam", "Malayalam", "intl"),
    Language("mn", "Mongolian", "Cyrillic"),
    Language("mr", "Marathi", "Devanagari", "intl"),
    Language("my", "Burmese", "Myanmar", "char", note=_BY_CHARACTER),
    Language("nl", "Dutch", stemmer="dutch", meteor="nl"),
    Language("no", "Norwegian", stemmer="norwegian", meteor="no"),
    Language("pl", "Polish"),
    Language("ps", "Pashto", "Arabic", "intl"),
    Language("pt", "Portuguese", stemmer="portuguese", meteor="pt"),
    Language("ro", "Romanian", stemmer="romanian", meteor="ro"),
    Language("ru", "Russian", "Cyrillic", stemmer="russian"),
    Language("si", "Sinhala", "Sinhala", "intl"),
    Language("sk", "Slovak"),
    Language("sl", "Slovene"),
    Language("sq", "Albanian"),
    Language("sr", "Serbian", "Cyrillic", stemmer="serbian"),
    Language("sv", "Swedish", stemmer="swedish", meteor="se"),
    Language("sw", "Swahili"),
    Language("ta", "Tamil", "Tamil", "intl", "tamil"),
    Language("te", "Telugu", "Telugu", "intl"),
    Language("th", "Thai", "Thai", "th"),
    Language("tl", "Tagalog"),
    Language(
        "tr",
        "Turkish",
        stemmer="turkish",
        meteor="tr",
        note="case of dotted and dotless i is folded as in English",
    ),
    Language("uk", "Ukrainian", "Cyrillic"),
    Language("ur", "Urdu", "Arabic", "intl"),
    Language("vi", "Vietnamese", note="blanks separate syllables, which count as words"),
    Language("zh", "Chinese", "Han", "zh"),
    Language("zu", "Zulu"),
)
LANGUAGES = {language.code: language for language in _TABLE}
# Codes that mean the same: of ISO 639-2, of METEOR, and of macro languages.
_SAME = {
    **{"cmn": "zh", "zho": "zh", "jpn": "ja", "kor": "ko", "tha": "th", "ara": "ar", "hin": "hi"},
    **{"deu": "de", "ger": "de", "eng": "en", "fra": "fr", "rus": "ru", "spa": "es", "nb": "no"},
    **{"nn": "no", "cz": "cs", "iw": "he", "in": "id", "fil": "tl"},
}


def find_language(code: str) -> Language:
    """Return the language of a code or an English name; a region or a script behind it, as in
    pt-BR or zh_Hant, changes nothing.
    """
    bare = re.split("[-_]", code.strip().lower())[0]
    by_name = {language.name.lower(): language for language in _TABLE}
    found = LANGUAGES.get(_SAME.get(bare, bare)) or by_name.get(bare)
    if found is None:
        hint = did_you_mean(bare, [*by_name, *LANGUAGES], f"there are {' '.join(LANGUAGES)}")
        raise SpecError(f"lang={code}: no such language; {hint}")
    return found


def find_pair(code: str) -> tuple[Language | None, Language]:
    """Return the languages of sources and outputs, from `de` or a pair such as `en-de`."""
    source, dash, target = code.strip().lower().partition("-")
    if dash and _is_known(source) and _is_known(target):
        return find_language(source), find_language(target)
    return None, find_language(code)


def _is_known(code: str) -> bool:
    try:
        find_language(code)
    except SpecError:
        return False
    return True
