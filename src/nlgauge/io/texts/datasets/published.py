"""Read corpora of data-to-text as they are published.

WebNLG is XML: benchmark / entries / entry / modifiedtripleset and lex. The texts of `lex` are the
references of an entry, its triples the table; what systems wrote are files of text, with a line for
each entry. ToTTo is JSON Lines, whose records `as_record` knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.fields import RecordPlace
from nlgauge.io.files import read_bytes, shown
from nlgauge.io.request import Request
from nlgauge.io.texts.records import build_suite


def read(request: Request) -> Suite:
    """Read XML files (`paths`) as one, and hypotheses (`systems`) as text."""
    return build_suite(request, rows(request))


def rows(request: Request) -> Iterator[tuple[RecordPlace, dict[str, Any]]]:
    """Yield one record for each entry of all files."""
    for path in request.data_files():
        data = read_bytes(path)
        if b"<!ENTITY" in data:
            raise DataError(f"{shown(path)}: declares entities, which are not read; remove them")
        try:
            root = ElementTree.fromstring(data)
        except ElementTree.ParseError as error:
            raise DataError(f"{shown(path)}: not valid XML ({error})") from None
        entries = root.findall(".//entry")
        if not entries:
            raise DataError(f"{shown(path)}: no <entry>; expected <benchmark><entries><entry>")
        chosen = dict(request.columns.given).get("reference", ())
        languages = _languages(shown(path), root, chosen=bool(chosen))
        for number, entry in enumerate(entries, 1):
            place = RecordPlace(shown(path), "entry", number)
            triples = [_triple(place, t.text) for t in entry.findall("modifiedtripleset/mtriple")]
            names = (entry.get(key) for key in ("category", "size", "eid"))
            own = {
                "id": "/".join(filter(None, names)) or str(number),
                "table": triples or None,
            }
            if not chosen:
                yield place, {**own, "references": _texts(entry) or None}
                continue
            yield place, {**own, **{f"lex:{code}": _texts(entry, code) for code in languages}}


def _languages(file: str, root: ElementTree.Element, *, chosen: bool) -> list[str]:
    """Return the languages of the texts; refuse several of which none is chosen, as those of the
    Russian corpus, whose entries have English texts, too.
    """
    found = list(dict.fromkeys(lex.get("lang") or "none" for lex in root.findall(".//lex")))
    named = [code for code in found if code != "none"]
    if len(named) > 1 and not chosen:
        raise DataError(
            f"{file}: its texts are in several languages ({', '.join(named)}); say which are the "
            f"references: --columns reference=lex:{named[-1]}"
        )
    return found


def _texts(entry: ElementTree.Element, language: str | None = None) -> list[str]:
    """Return the texts of an entry: all, or those of a language."""
    return [
        (lex.text or "").strip()
        for lex in entry.findall("lex")
        if language in (None, lex.get("lang") or "none")
    ]


def _triple(place: RecordPlace, text: str | None) -> list[str]:
    parts = [part.strip() for part in (text or "").split(" | ")]
    if len(parts) != 3:
        raise DataError(f"{place}: <mtriple>{text}</mtriple>, expected subject | property | object")
    return parts


def as_record(value: dict[str, Any]) -> dict[str, Any]:
    """Return a record of ToTTo with its references and its table; others as they are."""
    said = value.get("sentence_annotations")
    if not isinstance(said, list) or "highlighted_cells" not in value:
        return value
    texts = [one.get("final_sentence") for one in said if isinstance(one, Mapping)]
    kept = ("hypothesis", "prediction", "system")
    own: dict[str, Any] = {name: value[name] for name in kept if name in value}
    return {
        **own,
        "id": value.get("example_id"),
        "references": [text for text in texts if text is not None],
        "table": value,
    }
