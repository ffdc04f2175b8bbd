"""Name the systems of a stream alike in all of its files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from nlgauge.errors import DataError
from nlgauge.io.fields import UNNAMED, FieldMeaning, RecordPlace, role_of
from nlgauge.io.texts.systems import stem

_UNNAMED = FieldMeaning("hypothesis", UNNAMED)
_MOST = 3  # files whose names make up that of a system


def label_of(paths: Sequence[str]) -> str:
    """Return the name of a system that has none of its own: after its files, if they are few."""
    stems = [stem(path.removesuffix(".zst")) for path in paths]
    return "+".join(stems) if len(stems) <= _MOST else f"{stems[0]}+{len(stems) - 1} more"


def field_name(name: str, label: str) -> str:
    """Return the name of a field, which for the system without a name becomes hyp:NAME."""
    return f"hyp:{label}" if role_of(name) == _UNNAMED else name


def named(
    rows: Iterable[tuple[RecordPlace, Mapping[str, Any]]], label: str
) -> Iterator[tuple[RecordPlace, Mapping[str, Any]]]:
    """Yield records in which every system has a name; refuse those that need other records."""
    for place, fields in rows:
        if "system" in fields:
            raise DataError(
                f"{place}: a field `system` spreads a segment over several records, which a stream "
                "cannot join; write hyp:NAME fields, or score without --stream"
            )
        yield place, {field_name(name, label): value for name, value in fields.items()}
