"""Stem words by Porter's rules in the dialects that tools use, with what tools do around them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from threading import Lock
from typing import Any, Literal, NamedTuple, cast, get_args

from nlgauge.errors import ResourceMissing, SpecError, fetch
from nlgauge.kernels import native
from nlgauge.text.languages import LANGUAGES
from nlgauge.text.word_lists import word_pairs

# The paper's algorithm; Porter's own programs; NLTK's default; ROUGE-1.5.5's Perl; and
# Snowball's English stemmer.
Dialect = Literal["porter", "martin-porter", "nltk-porter", "rouge155-porter", "snowball"]


def stem(words: Iterable[str], dialect: Dialect = "porter") -> list[str]:
    """Return the stems of words, in lower case."""
    if dialect not in get_args(Dialect):
        raise SpecError(f"stemmer {dialect}: there are {', '.join(get_args(Dialect))}")
    return native.stem([word.lower() for word in words], dialect)


class Stemming(NamedTuple):
    """A named way to stem the words of a text, which are in lower case."""

    name: str
    dialect: str
    shortest: int = 1  # letters of a word that is stemmed
    irregular: bool = False  # WordNet's irregular forms become their bases instead
    language: str = ""  # Snowball's name of another language, whose stemmer is not native

    def exceptions(self) -> dict[str, str]:
        """Return the words that have a stem of their own."""
        return word_pairs("wordnet-exceptions") if self.irregular else {}

    def resources(self) -> dict[str, str]:
        """Return the version of Snowball's stemmers, if they are asked."""
        if not self.language:
            return {}
        snowball(self.language)
        from importlib.metadata import version

        return {"snowballstemmer": version("snowballstemmer")}


def _package() -> Any:
    try:
        import snowballstemmer
    except ImportError:
        raise ResourceMissing(
            "Snowball's stemmers are not installed", remedy=fetch("stem")
        ) from None
    return snowballstemmer


@cache
def snowball_names() -> frozenset[str]:
    """Return the names of Snowball's stemmers, or raise ResourceMissing."""
    return frozenset(_package().algorithms())


@cache
def snowball(language: str) -> Any:
    """Return Snowball's stemmer of a language, or raise ResourceMissing."""
    return _package().stemmer(language)


_ONE_AT_A_TIME = Lock()  # a stemmer keeps the word that it works on


@lru_cache(maxsize=1 << 17)
def snowball_stem(language: str, word: str) -> str:
    """Return a word's stem by Snowball's rules; half characters, which no encoding knows, stay."""
    if word.encode("utf-8", "ignore").decode() != word:
        return word
    with _ONE_AT_A_TIME:
        return cast("str", snowball(language).stemWord(word))


STEMMINGS = {
    s.name: s
    for s in (
        Stemming("none", "none"),
        *(Stemming(dialect, dialect) for dialect in get_args(Dialect)),
        Stemming("rouge", "porter", shortest=4),
        Stemming("rouge-score", "nltk-porter", shortest=4),
        Stemming("rouge155", "rouge155-porter", shortest=4, irregular=True),
        *(
            Stemming(one.stem, "none", language=one.stemmer)
            for one in LANGUAGES.values()
            if one.stemmer and not one.english
        ),
    )
}
