"""Split Japanese by MeCab with the IPA dictionary, as sacreBLEU's `ja-mecab` does."""

from __future__ import annotations

from functools import cache
from typing import Any

from nlgauge.errors import ResourceMissing, fetch

IPADIC_ENTRIES = 392126


@cache
def _tagger() -> Any:
    try:
        import ipadic
        import MeCab
    except ImportError:
        raise ResourceMissing(
            "tokenizer=ja-mecab: MeCab or its dictionary is not installed", remedy=fetch("ja")
        ) from None
    tagger = MeCab.Tagger(ipadic.MECAB_ARGS + " -Owakati")
    info = tagger.dictionary_info()
    if info.size != IPADIC_ENTRIES or info.next is not None:
        raise ResourceMissing(
            f"tokenizer=ja-mecab: the dictionary has {info.size} entries, IPADIC {IPADIC_ENTRIES}",
            remedy=f"{fetch('ja')} --again",
        )
    return tagger


def version() -> str:
    """Return the versions of MeCab and of the dictionary."""
    return f"{_tagger().version()}-IPA"


def tokenise(text: str) -> str:
    """Return the words of a text, joined by blanks."""
    # Half characters, which no encoding knows, are read as U+FFFD.
    known = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    words: str = _tagger().parse(known.strip()).strip()
    return words
