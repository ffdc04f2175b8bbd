"""Split Thai by PyThaiNLP's `newmm`: the longest words of a dictionary, at clusters of letters."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version as package_version
from typing import Any

from nlgauge.errors import ResourceMissing, fetch


@cache
def _segmenter() -> Any:
    with _nothing_written():
        try:
            from pythainlp.tokenize import newmm
        except ImportError:
            raise ResourceMissing(
                "tokenizer=th: PyThaiNLP is not installed", remedy=fetch("th")
            ) from None
        newmm.segment("ก")  # loads the dictionary
    return newmm


@contextmanager
def _nothing_written() -> Iterator[None]:
    """Keep PyThaiNLP from making a folder for downloads in the home, which may be read-only; its
    dictionary comes with it.
    """
    switch = "PYTHAINLP_READ_ONLY"
    if switch in os.environ or "PYTHAINLP_READ_MODE" in os.environ:  # the user's choice, or its old
        yield  # name: it refuses both at once
        return
    os.environ[switch] = "1"
    try:
        yield
    finally:
        del os.environ[switch]


def version() -> str:
    """Return the version of PyThaiNLP, which brings the dictionary."""
    _segmenter()
    return package_version("pythainlp")


def tokenise(text: str) -> str:
    """Return the words of a text, joined by blanks."""
    return " ".join(word for word in map(str.strip, _segmenter().segment(text)) if word)
