"""Read records of two outputs of which people prefer one, with or without their texts.

{"id": 7, "references": ["..."], "better": "north", "worse": "south"}
{"id": 7, "references": ["..."], "better": {"system": "north", "hypothesis": "..."},
 "worse": {"system": "south", "hypothesis": "..."}}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nlgauge.errors import DataError
from nlgauge.io.fields import RecordPlace

SIDES = ("better", "worse")


def is_preference(fields: Mapping[str, Any]) -> bool:
    """Return whether a record says which of two outputs is better."""
    return "better" in fields


def preferred(place: RecordPlace, fields: Mapping[str, Any]) -> tuple[str, str]:
    """Return the system that is better and the one that is worse."""
    pair = []
    for side in SIDES:
        value = fields.get(side)
        value = value.get("system") if isinstance(value, dict) else value
        if not isinstance(value, str) or not value:
            raise DataError(f"{place}: field {side!r} names no system; expected its name")
        pair.append(value)
    return pair[0], pair[1]


def outputs(fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return one record for each output: those of both sides, or the record's own if these are
    only names.
    """
    shared = {name: value for name, value in fields.items() if name not in SIDES}
    sides = [fields.get(side) for side in SIDES]
    texts = [{**shared, **side} for side in sides if isinstance(side, dict) and len(side) > 1]
    return texts or [shared]
