"""The fields of one record, by the names they go by in tsv, csv, jsonl and parquet alike."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from nlgauge.errors import DataError

UNNAMED = ""  # the system of a `hypothesis` field in a record without a `system` field

_ROLES = {
    "id": "id",
    "segment_id": "id",
    "source": "source",
    "src": "source",
    "context": "context",
    "contexts": "context",
    "references": "references",
    "reference_weights": "weights",
    "table": "table",
    "system": "system",
    "hypothesis": "hypothesis",
    "hyp": "hypothesis",
    "prediction": "hypothesis",
    "output": "hypothesis",
    "translation": "hypothesis",
    "hypotheses": "hypotheses",
}
_REFERENCE = re.compile(r"(reference|ref)([ _]?[0-9]+|:.+)?", re.IGNORECASE | re.DOTALL)
_SYSTEM = re.compile(r"(?:hyp|system):(.+)", re.IGNORECASE | re.DOTALL)
KNOWN = (
    "id, source, context, reference, reference1 ..., ref:NAME, references, reference_weights, "
    "table, hypothesis, hyp:NAME, hypotheses, system"
)


class Role(NamedTuple):
    """What a field holds; `system` is the NAME of a field hyp:NAME."""

    kind: str
    system: str = UNNAMED


class Place(NamedTuple):
    """Where a record stands."""

    file: str
    unit: str  # "line", or "row" where there are no lines
    number: int

    def __str__(self) -> str:
        return f"{self.file}, {self.unit} {self.number}"


@dataclass(slots=True)
class Record:
    """One record with checked types. None: not given."""

    place: Place
    id: str | None = None
    system: str | None = None
    source: str | None = None
    context: str | None = None
    references: list[str] | None = None
    weights: list[float] | None = None
    table: Any = None
    hypotheses: dict[str, str] = field(default_factory=dict)


@lru_cache(maxsize=1024)
def role_of(name: str) -> Role | None:
    """What a field of this name holds; None if nothing known."""
    if kind := _ROLES.get(name.lower()):
        return Role(kind)
    if _REFERENCE.fullmatch(name):
        return Role("reference")
    if match := _SYSTEM.fullmatch(name):
        return Role("hypothesis", match[1])
    return None


def parse(place: Place, fields: Mapping[str, Any], unknown: dict[str, None]) -> Record:
    """Check the types of a record's fields; names that mean nothing are added to `unknown`."""
    record = Record(place)
    names: dict[Role, str] = {}
    refs: list[str | None] | None = None
    for name, value in fields.items():
        role = role_of(name)
        if role is None:
            unknown[name] = None
            continue
        if value is None and role.kind != "reference":
            continue
        if role.kind != "reference" and role in names:
            raise DataError(f"{place}: {names[role]!r} and {name!r} say the same; keep one")
        names[role] = name
        if role.kind == "reference":
            refs = [] if refs is None else refs
            refs.append(None if value is None else _text(place, name, value))
        elif role.kind == "hypothesis":
            record.hypotheses[role.system] = _text(place, name, value)
        elif role.kind == "hypotheses":
            named = _expect(place, name, value, dict, "an object {system: text}")
            for system, text in named.items():
                if text is not None:
                    record.hypotheses[_key(place, name, system)] = _text(place, name, text)
        elif role.kind != "references":
            setattr(record, role.kind, _SIMPLE[role.kind](place, name, value))
    if (listed := names.get(Role("references"))) is not None:
        if refs is not None:
            other = names[Role("reference")]
            raise DataError(f"{place}: {listed!r} and {other!r} are both given; keep one")
        values = _expect(place, listed, fields[listed], list, "a list of texts")
        refs = [None if text is None else _text(place, listed, text) for text in values]
    _set_references(record, refs)
    return record


def _set_references(record: Record, refs: list[str | None] | None) -> None:
    """Leave out references that are null, and their weights."""
    weights = record.weights
    if weights is not None and len(weights) != len(refs or ()):
        raise DataError(
            f"{record.place}: 'reference_weights' has {len(weights)} numbers for "
            f"{len(refs or ())} references; give one for each"
        )
    if refs is None:
        return
    record.references = [text for text in refs if text is not None]
    if weights is not None:
        record.weights = [w for w, text in zip(weights, refs, strict=True) if text is not None]


def _expect(place: Place, name: str, value: Any, kind: type, expected: str) -> Any:
    if not isinstance(value, kind):
        raise DataError(
            f"{place}: field {name!r} is {type(value).__name__} {value!r:.60}, expected {expected}"
        )
    return value


def _text(place: Place, name: str, value: Any) -> str:
    text: str = _expect(place, name, value, str, "a text")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DataError(
            f"{place}: field {name!r} has {text[error.start]!r}, half of a surrogate pair and no "
            "character; write the text as UTF-8"
        ) from None
    return text


def _key(place: Place, name: str, value: Any) -> str:
    """Names and ids; numbers are common as ids."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    text = _text(place, name, value)
    if not text:
        raise DataError(f"{place}: field {name!r} is empty, expected a name")
    return text


def _context(place: Place, name: str, value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(_text(place, name, text) for text in value)
    return _text(place, name, value)


def _weights(place: Place, name: str, value: Any) -> list[float]:
    expected = "a list of numbers, one per reference"
    for number in _expect(place, name, value, list, expected):
        if isinstance(number, bool) or not math.isfinite(
            _expect(place, name, number, (int, float), expected)  # type: ignore[arg-type]
        ):
            raise DataError(f"{place}: field {name!r} has {number!r}, expected {expected}")
    return [float(number) for number in value]


def _any(_place: Place, _name: str, value: Any) -> Any:
    return value


_SIMPLE = {
    "id": _key,
    "system": _key,
    "source": _text,
    "context": _context,
    "weights": _weights,
    "table": _any,
}
