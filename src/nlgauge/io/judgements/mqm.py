"""Read error annotations (MQM) as in Google's wmt-mqm-human-evaluation: a TSV, an error per line.

    system  doc  doc_id  seg_id  rater  source  target  category  severity

The score that a rater gives a segment is minus the sum of the weights of its errors: a row with
criterion `mqm`. The errors are rows of the criterion `mqm-errors`, with the category as label, the
severity, and the characters that `<v>` and `</v>` enclose in the target; errors that are marked in
the source, such as omissions, have no place in the target.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nlgauge.errors import DataError, SpecError
from nlgauge.io.files import warn

# severity[/category[/subcategory]]; the longest that fits counts. HOTW-test: errors planted to see
# whether raters are awake (2022), which say nothing about the system.
WEIGHTS: Mapping[str, float] = {
    "major": 5,
    "minor": 1,
    "neutral": 0,
    "no-error": 0,
    "hotw-test": 0,
    "major/non-translation": 25,
    "minor/fluency/punctuation": 0.1,
}
# Rows that say that there is nothing to mark; their labels count as before.
NO_ERROR = ("no-error", "hotw-test")
_OPEN, _CLOSE = "<v>", "</v>"
_SEGMENT = ("seg_id", "globalSegId", "segment_id")


def is_header(names: Sequence[str]) -> bool:
    """Return whether a file that starts so holds error annotations."""
    return {"system", "rater", "category", "severity"} <= set(names)


def read(
    file: str, lines: Sequence[tuple[int, Sequence[str]]], weights: Mapping[str, float] | None
) -> Iterator[dict[str, Any]]:
    """Read the scores of segments by rater, and the categories of errors."""
    header = list(lines[0][1])
    segment = next((name for name in _SEGMENT if name in header), None)
    if not is_header(header) or segment is None:
        raise DataError(
            f"{file}, line 1: MQM files have the columns system, seg_id, rater, category and "
            f"severity; here are: {', '.join(header)[:200]}"
        )
    costs = dict(WEIGHTS)
    for kind, weight in (weights or {}).items():
        if weight < 0:
            raise SpecError(f"weight {kind}={weight}: errors cost 0 or more")
        costs[_folded(kind)] = weight
    sums: dict[tuple[str, str, str], float] = {}
    errors: list[dict[str, Any]] = []
    odd: list[int] = []
    for number, cells in lines[1:]:
        if len(cells) != len(header):
            raise DataError(
                f"{file}, line {number}: {len(cells)} fields, the header row has {len(header)}; "
                "check for tabs and line breaks in the texts"
            )
        row = dict(zip(header, cells, strict=True))
        for name in ("system", segment, "rater"):
            if not row[name]:
                raise DataError(f"{file}, line {number}: column {name!r} is empty")
        key = (row[segment], row["system"], row["rater"])
        cost = error_cost(costs, row["severity"], row["category"], f"{file}, line {number}")
        sums[key] = sums.get(key, 0.0) + cost
        label = row["category"] or row["severity"]
        error = _record(key, "mqm-errors") | {"label": label}
        if _folded(row["severity"]) not in NO_ERROR and _folded(label) not in NO_ERROR:
            error |= {"severity": _folded(row["severity"])}
            place = marked_place(row.get("target", ""))
            odd += [] if place is not None else [number]
            error |= place or {}
        errors.append(error)
    if odd:
        warn(
            f"{file}, line {odd[0]}: the target has other than one {_OPEN} and one {_CLOSE} behind "
            f"it ({len(odd)} such lines); these errors count, but have no place in the text"
        )
    for key, total in sums.items():
        yield _record(key, "mqm") | {"value": -total if total else 0.0}
    yield from errors


def marked_place(text: str) -> dict[str, int] | None:
    """Return where the words between <v> and </v> stand in the text without these marks; nothing
    if none are marked, and None if the marks make no sense.
    """
    before, opened, rest = text.partition(_OPEN)
    inner, closed, after = rest.partition(_CLOSE)
    if bool(opened) != bool(closed) or _OPEN in inner + after or _CLOSE in before + after:
        return None
    return {"start": len(before), "end": len(before) + len(inner)} if inner else {}


def _record(key: tuple[str, str, str], criterion: str) -> dict[str, Any]:
    names = ("item", "system", "annotator")
    return dict(zip(names, key, strict=True)) | {"criterion": criterion, "protocol": "mqm"}


def error_cost(costs: Mapping[str, float], severity: str, category: str, place: str) -> float:
    """Return the weight of an error; the longest key of `costs` that fits it counts."""
    # Spellings differ between years: Major and major, Non-translation! and Non-translation.
    parts = _folded(f"{severity}/{category}").split("/")
    for end in range(len(parts), 0, -1):
        if (key := "/".join(parts[:end])) in costs:
            return costs[key]
    known = ", ".join(key for key in costs if "/" not in key)
    raise DataError(
        f"{place}: severity {severity!r} has no weight; there are {known}; give it one, such as "
        f"weights={{{severity.lower()!r}: 10}}"
    )


def _folded(text: str) -> str:
    return text.strip().lower().replace("!", "")
