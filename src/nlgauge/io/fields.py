"""Name and check the fields of a record, which are alike in tsv, csv, jsonl and parquet."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from nlgauge.data.contexts import turns_of
from nlgauge.errors import DataError

UNNAMED = ""  # the system of a `hypothesis` field in a record without a `system` field

_ROLES = {
    "id": "id",
    "segment_id": "id",
    "source": "source",
    "src": "source",
    "context": "turns",
    "contexts": "turns",
    "turns": "turns",
    "fact": "facts",
    "facts": "facts",
    "persona": "persona",
    "features": "features",
    "documents": "documents",
    "references": "references",
    "refs": "references",
    "targets": "references",
    "reference_weights": "weights",
    "table": "table",
    "annotation": "annotation",
    "human": "human",
    "system": "system",
    "hypothesis": "hypothesis",
    "hyp": "hypothesis",
    "prediction": "hypothesis",
    "output": "hypothesis",
    "translation": "hypothesis",
    "mt": "hypothesis",  # as COMET calls it
    "hypotheses": "hypotheses",
}
FIELD_NAMES = (*_ROLES, "reference")
_REFERENCE = re.compile(r"(reference|ref|target)([ _]?[0-9]+|:.+)?", re.IGNORECASE | re.DOTALL)
_SYSTEM = re.compile(r"(?:hyp|system):(.+)", re.IGNORECASE | re.DOTALL)
_ANNOTATION = re.compile(r"annotation:(.+)", re.IGNORECASE | re.DOTALL)
KNOWN = (
    "id, source, context, turns, facts, persona, features, documents, reference, reference1 ..., "
    "ref:NAME, references, reference_weights, "
    "table, annotation, annotation:NAME, human, hypothesis, hyp:NAME, hypotheses, system"
)


class FieldMeaning(NamedTuple):
    """What a field holds; `system` is the NAME of a field hyp:NAME or annotation:NAME."""

    kind: str
    system: str = UNNAMED


class RecordPlace(NamedTuple):
    """The file and the line or row where a record stands."""

    file: str
    unit: str  # "line", or "row" where there are no lines
    number: int

    def __str__(self) -> str:
        return f"{self.file}, {self.unit} {self.number}"


@dataclass(slots=True)
class Record:
    """One record whose types have been checked; None is what was not given."""

    place: RecordPlace
    id: str | None = None
    system: str | None = None
    source: str | None = None
    turns: list[tuple[str | None, str]] | None = None  # each with its speaker
    facts: list[str] | None = None
    persona: list[str] | None = None
    features: list[float] | None = None
    documents: list[str] | None = None
    references: list[str] | None = None
    weights: list[float] | None = None
    table: Any = None
    hypotheses: dict[str, str] = field(default_factory=dict)
    annotations: dict[str, Any] = field(default_factory=dict)  # UNNAMED: of all systems
    human: dict[str, list[float]] | None = None  # ratings by criterion, one per annotator


@lru_cache(maxsize=1024)
def role_of(name: str) -> FieldMeaning | None:
    """Return what a field of this name holds, or None if nothing known."""
    if kind := _ROLES.get(name.lower()):
        return FieldMeaning(kind)
    if _REFERENCE.fullmatch(name):
        return FieldMeaning("reference")
    if match := _SYSTEM.fullmatch(name):
        return FieldMeaning("hypothesis", match[1])
    if match := _ANNOTATION.fullmatch(name):
        return FieldMeaning("annotation", match[1])
    return None


def parse(place: RecordPlace, fields: Mapping[str, Any], unknown: dict[str, None]) -> Record:
    """Check the types of a record's fields; names that mean nothing are added to `unknown`."""
    record = Record(place)
    names: dict[FieldMeaning, str] = {}
    refs: list[str | None] = []
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
            refs.append(None if value is None else _text(place, name, value))
        elif role.kind == "references":
            texts = _expect(place, name, value, list, "a list of texts")
            refs.extend(None if text is None else _text(place, name, text) for text in texts)
        elif role.kind == "hypothesis":
            _add(record, name, role.system, value)
        elif role.kind == "annotation":
            record.annotations[role.system] = value
        elif role.kind == "hypotheses":
            named = _expect(place, name, value, dict, "an object {system: text}")
            for system, text in named.items():
                if text is not None:
                    _add(record, name, _key(place, name, system), text)
        else:
            setattr(record, role.kind, _SIMPLE[role.kind](place, name, value))
    one, many = names.get(FieldMeaning("reference")), names.get(FieldMeaning("references"))
    if one is not None and many is not None:
        raise DataError(f"{place}: {one!r} and {many!r} are both given; keep one")
    _set_references(record, refs)
    return record


def with_id(
    place: RecordPlace, fields: Mapping[str, Any], id_fields: Sequence[str]
) -> Mapping[str, Any]:
    """Return the fields with an id made of the values of `id_fields`, in place of their own."""
    if not id_fields:
        return fields
    parts = []
    for name in id_fields:
        if fields.get(name) is None:
            raise DataError(f"{place}: no field {name!r}, which is to be part of the id")
        parts.append(_key(place, name, fields[name]))
    kept = {}
    for name, value in fields.items():
        role = role_of(name)
        if role.kind != "id" if role else name not in id_fields:
            kept[name] = value
    return {**kept, "id": "/".join(parts)}


def _add(record: Record, name: str, system: str, value: Any) -> None:
    if system in record.hypotheses:
        raise DataError(f"{record.place}: field {name!r}: system {system!r} is there twice")
    record.hypotheses[system] = _text(record.place, name, value)


def _set_references(record: Record, refs: list[str | None]) -> None:
    """Leave out references that are null, and their weights."""
    weights = record.weights
    if weights is not None and len(weights) != len(refs):
        raise DataError(
            f"{record.place}: 'reference_weights' has {len(weights)} numbers for "
            f"{len(refs)} references; give one for each"
        )
    record.references = [text for text in refs if text is not None] or None
    if weights is not None:
        record.weights = [w for w, text in zip(weights, refs, strict=True) if text is not None]


def _expect(place: RecordPlace, name: str, value: Any, kind: type, expected: str) -> Any:
    if not isinstance(value, kind):
        raise DataError(
            f"{place}: field {name!r} is {type(value).__name__} {value!r:.60}, expected {expected}"
        )
    return value


def _text(place: RecordPlace, name: str, value: Any) -> str:
    text: str = _expect(place, name, value, str, "a text")
    check_characters(place, name, text)
    return text


def check_characters(place: RecordPlace, name: str, text: str) -> None:
    """Refuse text that JSON can write and nothing else."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DataError(
            f"{place}: field {name!r} has {text[error.start]!r}, half of a surrogate pair and no "
            "character; write the text as UTF-8"
        ) from None


def _key(place: RecordPlace, name: str, value: Any) -> str:
    """Return a name or id as text; numbers are common as ids."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    text = _text(place, name, value)
    if not text:
        raise DataError(f"{place}: field {name!r} is empty, expected a name")
    return text


def _turns(place: RecordPlace, name: str, value: Any) -> list[tuple[str | None, str]]:
    found = turns_of(f"{place}: field {name!r}", value)
    for _, text in found:
        check_characters(place, name, text)
    return found


def _texts(place: RecordPlace, name: str, value: Any) -> list[str]:
    """Return lines of facts, a persona or documents: one text, or a list of them."""
    listed = [value] if isinstance(value, str) else value
    return [
        _text(place, name, text) for text in _expect(place, name, listed, list, "a list of texts")
    ]


def _numbers(
    place: RecordPlace, name: str, value: Any, expected: str = "a list of numbers"
) -> list[float]:
    for number in _expect(place, name, value, list, expected):
        if type(number) not in (int, float) or not math.isfinite(number):
            raise DataError(f"{place}: field {name!r} has {number!r}, expected {expected}")
    return [float(number) for number in value]


def _weights(place: RecordPlace, name: str, value: Any) -> list[float]:
    return _numbers(place, name, value, "a list of numbers, one per reference")


def _human(place: RecordPlace, name: str, value: Any) -> dict[str, list[float]]:
    expected = "an object {criterion: number, or a list of one number per annotator}"
    ratings = {}
    for criterion, given in _expect(place, name, value, dict, expected).items():
        numbers = given if isinstance(given, list) else [given]
        for number in numbers:
            if number is not None and (
                type(number) not in (int, float, bool) or not math.isfinite(number)
            ):
                expected = "a number; convert it" if isinstance(number, str) else expected
                raise DataError(
                    f"{place}: field {name!r}, {criterion!r}: {number!r:.60}, expected {expected}"
                )
        ratings[criterion] = [math.nan if n is None else float(n) for n in numbers]
    return ratings


_SIMPLE: dict[str, Callable[[RecordPlace, str, Any], Any]] = {
    "id": _key,
    "system": _key,
    "source": _text,
    "turns": _turns,
    "facts": _texts,
    "persona": _texts,
    "features": _numbers,
    "documents": _texts,
    "weights": _weights,
    "table": lambda _place, _name, value: value,
    "human": _human,
}
