"""Read texts from JSON arrays: `["...", "..."]`, one text for each segment, where a line would do.

A file of references may also have a list for each segment, `[["...", "..."], ["..."]]`. Other
files beside these may be plain text. Texts may hold line breaks, which plain text cannot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.files import read_lines, read_start, read_utf8, shown
from nlgauge.io.request import STDIN, Request
from nlgauge.io.texts.systems import check_sizes, system_names

_OPENING = re.compile(rb'(\xef\xbb\xbf)?\s*\[\s*(\[\s*)?"')


def holds_texts(path: str) -> bool:
    """Return whether a file is called .json and begins as an array of texts does."""
    named = path != STDIN and path.lower().removesuffix(".gz").endswith(".json")
    return named and _OPENING.match(read_start(path)) is not None


def read(request: Request) -> Suite:
    """Read files of references (`paths`) and of outputs (`systems`), arrays or plain text."""
    refs = [_entries(path, request.encoding) for path in request.paths]
    files = system_names(request.systems or ())
    hyps = {name: _texts(path, request.encoding) for name, path in files.items()}
    sizes = [(path, len(found)) for path, found in zip(request.paths, refs, strict=True)]
    sizes += [(path, len(hyps[name])) for name, path in files.items()]
    sources = None
    if request.sources is not None:
        sources = _texts(request.sources, request.encoding)
        sizes.append((request.sources, len(sources)))
    check_sizes(sizes)
    joined = [[text for own in each for text in own] for each in zip(*refs, strict=True)]
    return Suite.build(hyps, joined, sources=sources)


def _texts(path: str, encoding: str) -> list[str]:
    found: list[str] = []
    for number, entry in enumerate(_entries(path, encoding), 1):
        if len(entry) != 1:
            raise DataError(
                f"{shown(path)}, entry {number}: {len(entry)} texts, expected one; several for a "
                "segment are for references"
            )
        found += entry
    return found


def _entries(path: str, encoding: str) -> Sequence[Sequence[str]]:
    """Return the texts of each segment."""
    if not holds_texts(path):
        return [[text] for text in read_lines(path, encoding)]
    from nlgauge.io.json_text import parse_json  # late: files of lines need no JSON

    values = parse_json(read_utf8(path, encoding), shown(path), lines=True)
    return [_entry(f"{shown(path)}, entry {i}", value) for i, value in enumerate(values, 1)]


def _entry(place: str, value: Any) -> list[str]:
    listed: Iterable[Any] = value if isinstance(value, list) else [value]
    for text in listed:
        if not isinstance(text, str):
            raise DataError(f"{place}: {text!r:.40}, expected a text, as are those before")
    return list(listed)
