"""Read JSON of judged dialogues as USR, FED and DSTC's tracks publish them.

    USR:  [{"context": "Hi!\\nHello.", "fact": "..", "responses": [
            {"model": "north", "response": "..", "Overall": [3, 4]}]}]
    FED:  [{"context": "User: Hi!\\nSystem: Hello.", "response": "System: ..", "system": "north",
            "annotations": {"Overall": [3, 4]}}]
    DSTC: [{"dialogue_id": "7", "model": "north", "context": ["Hi!", "Hello."], "response": "..",
            "reference": "..", "annotations": {"overall": 3.5}}]

Entries without a response are whole dialogues. Entries with the same context are one item. What is
no number among ratings, such as "N/A", is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from nlgauge.data.contexts import turns_of
from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.fields import RecordPlace
from nlgauge.io.files import read_utf8, shown
from nlgauge.io.json_text import parse_json
from nlgauge.io.request import Request
from nlgauge.io.texts.records import build_suite

_SPEAKER = re.compile(r"(user|system|human|bot|chatbot|[ab]|(?:speaker|agent)[ _]?\d) ?: *", re.I)
_TURNS = ("context", "contexts", "turns", "dialog", "dialogue", "history")
_REPLY = ("response", "reply", "hypothesis")
_SYSTEM = ("model", "system")
_ID = ("dialogue_id", "dialog_id", "id")
_REFERENCE = ("reference", "references", "human_response")


def read(request: Request) -> Suite:
    """Read data files (`paths`) as one, and further hypotheses (`systems`) as text."""
    return build_suite(request, rows(request))


def rows(request: Request) -> Iterator[tuple[RecordPlace, dict[str, Any]]]:
    """Yield one record for every response."""
    items: dict[str, str] = {}
    number = 0
    for path in request.data_files():
        data = parse_json(read_utf8(path, request.encoding), shown(path), lines=True)
        entries = list(data.values()) if isinstance(data, dict) else data
        if not isinstance(entries, list) or not entries:
            raise DataError(f"{shown(path)}: expected a list of objects, each with a `context`")
        for entry in entries:
            number += 1
            place = RecordPlace(shown(path), "entry", number)
            if not isinstance(entry, dict):
                raise DataError(f"{place}: {type(entry).__name__}, expected an object")
            for record in _records(place, entry):
                key = repr((record["turns"], record.get("facts")))
                record.setdefault("id", items.setdefault(key, str(len(items) + 1)))
                yield place, record


def _records(place: RecordPlace, entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    context = _first(entry, _TURNS)
    if context is None:
        raise DataError(f"{place}: no context; expected one of {', '.join(_TURNS)}")
    turns = [_spoken(speaker, text) for speaker, text in turns_of(f"{place}: context", context)]
    shared: dict[str, Any] = {"turns": turns, "facts": entry.get("fact", entry.get("facts"))}
    responses = entry.get("responses")
    for own in [entry] if responses is None else responses:
        if not isinstance(own, dict):
            raise DataError(f"{place}: a response is {type(own).__name__}, expected an object")
        record = {**shared, "system": str(_first({**entry, **own}, _SYSTEM) or "system")}
        reply, reference = _first(own, _REPLY), _first({**entry, **own}, _REFERENCE)
        if reply is not None:
            record["hypothesis"] = _spoken(None, reply)[1] if isinstance(reply, str) else reply
        if isinstance(reference, str):
            reference = [reference]
        if reference:
            record["references"] = [_spoken(None, text)[1] for text in reference]
        if (name := _first(entry, _ID)) is not None:
            record["id"] = name
        human = _ratings(own.get("annotations", own if responses is not None else {}))
        if human:
            record["human"] = human
        yield record


def _spoken(speaker: str | None, text: str) -> tuple[str | None, str]:
    """Take the speaker from the start of a turn, if none is known."""
    found = None if speaker else _SPEAKER.match(text)
    return (speaker, text) if found is None else (found[1], text[found.end() :])


def _ratings(given: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in given.items() if isinstance(given, dict) else ():
        numbers = value if isinstance(value, list) else [value]
        kept = [n if _is_number(n) else None for n in numbers]
        if any(n is not None for n in kept):
            found[name] = kept
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _first(entry: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((entry[name] for name in names if entry.get(name) is not None), None)
