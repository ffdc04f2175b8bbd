"""Split Thai by PyThaiNLP's `newmm`: the longest words of a dictionary, at clusters of letters."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version as package_version
from typing import Any

from nlgauge.errors import ResourceMissing, fetch


@cache
def _segmenter() -> Any:
    try:
        from pythainlp.tokenize import newmm
    except ImportError:
        raise ResourceMissing(
            "tokenizer=th: PyThaiNLP is not installed", remedy=fetch("th")
        ) from None
    return newmm


def version() -> str:
    """Return the version of PyThaiNLP, which brings the dictionary."""
    _segmenter()
    return package_version("pythainlp")


def tokenise(text: str) -> str:
    """Return the words of a text, joined by blanks."""
    return " ".join(word for word in map(str.strip, _segmenter().segment(text)) if word)
