"""Read direct assessments as Appraise exports them (`ExportSystemScoresToCSV`), a CSV without
header:

    user, system, segment, type, source language, target language, score
    [, document, is the whole document] [, errors] [, start, end [, batch, item]]

and its dumps with a header (systemID, username, segmentID, score, itemType, ...).

The criterion is `da` for system outputs (types TGT and CHK), `da-bad` and `da-ref` for the damaged
texts and references that check the annotators, and `da-document` for scores of whole documents.
Where errors are marked (ESA), system outputs have the criterion `esa`, and each error is a row of
`esa-errors`. Appraise gives the first and the last character, in units of UTF-16.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nlgauge.errors import DataError
from nlgauge.io.files import warn
from nlgauge.io.json_text import parse_json

_TYPES = {"TGT": "da", "CHK": "da", "BAD": "da-bad", "REF": "da-ref"}
_NAMED = {
    "username": "user",
    "systemID": "system",
    "segmentID": "segment",
    "itemType": "type",
    "score": "score",
    "documentID": "document",
    "isCompleteDocument": "whole",
    "startTime": "start",
    "endTime": "end",
    "durationInSeconds": "seconds",
    "mqm": "errors",
}


def is_first(cells: Sequence[str]) -> bool:
    """Return whether a file whose first line is this comes from Appraise."""
    return "systemID" in cells or (len(cells) >= 7 and cells[3].upper() in _TYPES)


def read(file: str, lines: Sequence[tuple[int, Sequence[str]]]) -> Iterator[dict[str, Any]]:
    """Read the scores that each annotator gave."""
    first = lines[0][1]
    header = first if "systemID" in first else None
    rows = []
    for number, cells in lines[1:] if header else lines:
        place = f"{file}, line {number}"
        if header and len(cells) != len(header):
            raise DataError(f"{place}: {len(cells)} fields, the header row has {len(header)}")
        named = (
            {_NAMED.get(k, k): v for k, v in zip(header, cells, strict=True)}
            if header
            else _named(place, cells)
        )
        for name in ("user", "system", "segment", "type", "score"):
            if name not in named:
                raise DataError(f"{place}: no column for the {name}; an export of Appraise has one")
        if _is_whole(named) and not named.get("document"):
            raise DataError(f"{place}: the score of a whole document, which is not named")
        rows.append((place, named))
    # Segments are numbered in the test set or, in some campaigns, in each document; and a file may
    # hold several language pairs.
    documents: dict[str, str] = {}
    parts = [row for _, row in rows if row.get("document") and not _is_whole(row)]
    clash = any(documents.setdefault(r["segment"], r["document"]) != r["document"] for r in parts)
    pairs = {row.get("pair", "") for _, row in rows}
    if clash:
        warn(f"{file}: segment ids are used again in other documents; items are document/segment")
    # A campaign without marks may still have the column, with nothing in it.
    marked = any(_errors(place, row["errors"]) for place, row in rows if "errors" in row)
    for place, row in rows:
        whole = _is_whole(row)
        item = row["document"] if whole else row["segment"]
        if clash and not whole:
            item = f"{row.get('document', '')}/{item}"
        if len(pairs) > 1:
            item = f"{row.get('pair', '')}/{item}"
        if (kind := row["type"].upper()) not in _TYPES:
            raise DataError(f"{place}: type {row['type']!r}, expected one of {', '.join(_TYPES)}")
        judged = kind in ("TGT", "CHK")
        spans = judged and not whole and marked and "errors" in row
        said = {"item": item, "system": row["system"], "annotator": row["user"]}
        said |= {"protocol": "esa" if spans else "appraise"}
        criterion = "da-document" if whole and judged else _TYPES[kind]
        yield said | {
            "criterion": "esa" if spans else criterion,
            "value": _number(place, "score", row["score"]),
            "seconds": _seconds(place, row),
        }
        if spans:
            for error in _errors(place, row["errors"]):
                yield said | {"criterion": "esa-errors"} | error


def _is_whole(row: Mapping[str, str]) -> bool:
    return row.get("whole") == "True"


def _named(place: str, cells: Sequence[str]) -> dict[str, str]:
    if len(cells) < 7:
        raise DataError(
            f"{place}: {len(cells)} fields; an export has user, system, segment, type, languages "
            "and score, and often more"
        )
    names = ("user", "system", "segment", "type", "source", "target", "score")
    row = dict(zip(names, cells, strict=False))
    row["pair"] = f"{row['source']}-{row['target']}"
    rest = list(cells[7:])
    if len(rest) >= 2 and rest[1] in ("True", "False"):
        row["document"], row["whole"], *rest = rest
    if rest and not _is_number(rest[0]):
        row["errors"], *rest = rest
    if len(rest) >= 2:
        row["start"], row["end"] = rest[:2]
    return row


def _errors(place: str, text: str) -> list[dict[str, Any]]:
    """Return the errors that were marked: severities as labels, and places where there are any."""
    if not text.strip():
        return []
    listed = parse_json(text, f"{place}: errors")
    found = []
    for entry in listed if isinstance(listed, list) else [listed]:
        severity = entry.get("severity") if isinstance(entry, dict) else None
        if not isinstance(severity, str) or not severity:
            raise DataError(f"{place}: an error is {entry!r:.80}, expected start, end and severity")
        if severity == "undecided":  # opened and left, which says nothing
            continue
        kinds = entry.get("error_type") or [severity]
        error: dict[str, Any] = {"severity": severity, "label": "/".join(map(str, kinds))}
        first, last = entry.get("start_i"), entry.get("end_i")
        if isinstance(first, int) and isinstance(last, int):
            error |= {"start": first, "end": last + 1}
        elif not first == last == "missing":
            raise DataError(f"{place}: an error reaches from {first!r:.40} to {last!r:.40}")
        found.append(error)
    return found


def _seconds(place: str, row: Mapping[str, str]) -> float | None:
    if "start" in row and "end" in row:
        start, end = (_number(place, name, row[name]) for name in ("start", "end"))
        return round(end - start, 6)  # the clock's own digits, without those of the subtraction
    return _number(place, "duration", row["seconds"]) if "seconds" in row else None


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _number(place: str, field: str, text: str) -> float:
    if not _is_number(text):
        raise DataError(f"{place}: {field} is {text!r:.40}, expected a number")
    return float(text)
