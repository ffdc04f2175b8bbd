"""Name the systems of a stream alike in all of its files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.column_names import ColumnNames
from nlgauge.io.fields import UNNAMED, FieldMeaning, RecordPlace, role_of
from nlgauge.io.request import Request
from nlgauge.io.texts.records import build_suite
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


def labelled_suite(
    request: Request, rows: Iterable[tuple[RecordPlace, Mapping[str, Any]]], label: str
) -> Suite:
    """Make a suite of records, in which the system without a name has this one."""
    return build_suite(request._replace(columns=ColumnNames()), _named(request, rows, label))


def _named(
    request: Request, rows: Iterable[tuple[RecordPlace, Mapping[str, Any]]], label: str
) -> Iterator[tuple[RecordPlace, Mapping[str, Any]]]:
    """Yield records whose fields have their usual names, and in which every system has a name;
    refuse those that need other records.
    """
    for place, given in rows:
        fields = request.columns.renamed(place, given, request.id_fields)
        if "system" in fields:
            raise DataError(
                f"{place}: a field `system` spreads a segment over several records, which a stream "
                "cannot join; write hyp:NAME fields, or score without --stream"
            )
        yield place, {field_name(name, label): value for name, value in fields.items()}
