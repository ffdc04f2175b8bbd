"""Make a Suite of records; tsv, csv, jsonl and parquet differ only in how they yield records.

Three layouts: one system in a field `hypothesis` (it takes the name of the file); several in
fields `hyp:NAME` or an object `hypotheses`; or long, one record per system and segment with the
fields `system` and `id`, where the records of an id need not repeat its references and source.

An `annotation` is one for all systems, or in a field `annotation:NAME` or a long record that of one
system. Where there are annotations, hypotheses may be left out: they are empty then; and so they
may beside `turns`, if these are whole dialogues.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.fields import UNNAMED, Record, RecordPlace, parse, with_id
from nlgauge.io.files import shown, warn
from nlgauge.io.request import Request
from nlgauge.io.texts import unusable
from nlgauge.io.texts.context_columns import CONTEXT, context_of, filled
from nlgauge.io.texts.systems import join_sources, join_systems, stem
from nlgauge.io.texts.unknown_fields import warn_of_unknown

APART = "nlgauge score --apart"
_SHARED = ("source", *CONTEXT, "references", "weights", "table")
_SEVERAL_FIELDS = (
    "Several fields together make an id by id_fields=... (such as --id-fields lang_pair segment_id)"
)


Rows = Iterable[tuple[RecordPlace, Mapping[str, Any]]]


def build_suite(request: Request, rows: Rows) -> Suite:
    """Build the Suite of all rows of all data files."""
    return _suite(request, _segments(request, rows))


def build_suites_apart(request: Request, rows: Rows) -> dict[str, Suite]:
    """Build a Suite of each system, of the segments that it has an output for."""
    records = _segments(request, rows)
    names = dict.fromkeys(name for record in records for name in record.hypotheses)
    if request.skip_unusable:
        called = [record.id or str(record.place.number) for record in records]
        reasons = [None if record.hypotheses else "no output" for record in records]
        files = ", ".join(map(shown, request.paths))
        records = unusable.left_out(files, records, called, reasons)
    found = {}
    for name in names:
        own = [
            replace(record, hypotheses={name: record.hypotheses[name]})
            for record in records
            if name in record.hypotheses
        ]
        suite = _suite(request, own)
        found[next(iter(suite.systems))] = suite
    return found


def _segments(request: Request, rows: Rows) -> list[Record]:
    """Return a record for each segment, with the outputs of all its systems."""
    unknown: dict[str, None] = {}
    kept = request.id_fields
    named = ((place, request.columns.renamed(place, fields, kept)) for place, fields in rows)
    records = [
        parse(place, with_id(place, fields, request.id_fields), unknown) for place, fields in named
    ]
    files = ", ".join(map(shown, request.paths))
    if not records:
        raise DataError(f"{files}: there are no records; check what should have written them")
    warn_of_unknown(files, unknown, records)
    if any(record.system is not None for record in records):
        records = _grouped(files, records, skip_unusable=request.skip_unusable)
    elif any(record.id is not None for record in records):
        _check_ids(records)
    return records


def _suite(request: Request, records: list[Record]) -> Suite:
    files = ", ".join(map(shown, request.paths))
    if request.skip_unusable:
        called = [record.id or str(record.place.number) for record in records]
        records = unusable.left_out(files, records, called, unusable.lacking(records))
    columns = {name: _column(records, name) for name in ("id", "source", *CONTEXT, "table")}
    systems = join_systems(request, _systems(request, records), len(records))
    annotations = {name: _annotations(records, name) for name in systems}
    refs = [record.references or [] for record in records]
    try:
        return Suite.build(
            systems,
            refs if any(record.references is not None for record in records) else None,
            ids=columns["id"],
            sources=join_sources(request, columns["source"], len(records)),
            contexts=context_of({name: columns[name] for name in CONTEXT}),
            tables=columns["table"],
            annotations=annotations,
            reference_weights=_column(records, "weights"),
        )
    except DataError as error:
        raise DataError(f"{files}: {error}") from None


def _systems(request: Request, records: list[Record]) -> dict[str, list[str]]:
    """Return hypotheses by system; every record has one of each."""
    names = dict.fromkeys(name for record in records for name in record.hypotheses)
    if not names and request.systems is None:
        # Labels without texts, or whole dialogues.
        names = dict.fromkeys(name for record in records for name in record.annotations)
        if not names and all(record.turns is not None for record in records):
            names = {UNNAMED: None}
        for record in records:
            record.hypotheses = dict.fromkeys(names, "")
    unnamed = "+".join(stem(path) for path in request.paths)
    if UNNAMED in names and unnamed in names:
        raise DataError(
            f"{records[0].place}: the system of the field 'hypothesis' would be called "
            f"{unnamed!r} after its file, as another one is; call the field 'hyp:NAME'"
        )
    for record in records:
        for name in names:
            if name not in record.hypotheses:
                called = f"id {record.id!r}" if record.id is not None else "this segment"
                raise DataError(
                    f"{record.place}: system {name or unnamed!r} has no hypothesis for {called}; "
                    f"every system needs one for every segment, or {unusable.REMEDY}; systems with "
                    f"segments of their own are scored apart: {APART}"
                )
    return {name or unnamed: [record.hypotheses[name] for record in records] for name in names}


def _annotations(records: list[Record], system: str) -> list[Any] | None:
    """Return the annotations of a system, or those of all systems."""
    column = [r.annotations.get(system, r.annotations.get(UNNAMED)) for r in records]
    return _complete(records, column, f"annotation of system {system!r}")


def _grouped(files: str, records: list[Record], *, skip_unusable: bool = False) -> list[Record]:
    """Make one record per id from the long layout, in the order in which the ids appear first."""
    # Beside replies, a whole dialogue is a record without one.
    whole = not (skip_unusable and any(record.hypotheses for record in records))
    if whole:
        count = sum(bool(record.turns) and not record.hypotheses for record in records)
        unusable.warn_of_whole_dialogues(records[0].place.file, count, len(records))
    groups: dict[str, Record] = {}
    places: dict[tuple[str, str], RecordPlace] = {}
    again = 0
    for record in records:
        place = record.place
        if record.id is None or record.system is None:
            lacking = "id" if record.id is None else "system"
            raise DataError(
                f"{place}: no field {lacking!r}; where there is a `system` field, every record "
                "needs `id`, `system` and `hypothesis`"
            )
        if (record.annotations or (record.turns and whole)) and not record.hypotheses:
            record.hypotheses[UNNAMED] = ""
        if skip_unusable and not record.hypotheses:
            _share(groups.setdefault(record.id, record), record)
            continue
        if not record.hypotheses:
            raise DataError(
                f"{place}: system {record.system!r}, id {record.id!r}: there is no hypothesis; "
                f"every system needs one for every segment, or {unusable.REMEDY}"
            )
        if list(record.hypotheses) != [UNNAMED]:
            raise DataError(
                f"{place}: system {record.system!r}, id {record.id!r}: a record with a `system` "
                "field needs exactly one `hypothesis` and no hyp:NAME or hypotheses"
            )
        key = record.id, record.system
        if key in places and _is_again(groups[record.id], record):
            again += 1
            continue
        if key in places:
            raise DataError(
                f"{place}: system {record.system!r} has another hypothesis for id {record.id!r} at "
                f"{places[key]} already; ids must be unique for each system. {_SEVERAL_FIELDS}"
            )
        places[key] = place
        group = groups.setdefault(record.id, record)
        text = record.hypotheses.pop(UNNAMED)
        group.hypotheses[record.system] = text
        if UNNAMED in record.annotations:
            group.annotations[record.system] = record.annotations.pop(UNNAMED)
        _share(group, record)
    if again:
        warn(f"{files}: {again} outputs are there again with the same texts; each is scored once")
    return list(groups.values())


def _is_again(group: Record, record: Record) -> bool:
    """Return whether a record says nothing new of its system, as where it was rated twice."""
    system = record.system or UNNAMED
    if record.annotations.get(UNNAMED) != group.annotations.get(system):
        return False
    if record.hypotheses[UNNAMED] != group.hypotheses[system]:
        return False
    _share(group, record)
    return True


def _share(group: Record, record: Record) -> None:
    for name in _SHARED:
        value, known = getattr(record, name), getattr(group, name)
        if known is None:
            setattr(group, name, value)
        elif value is not None and value != known:
            raise DataError(
                f"{record.place}: the {name} of id {record.id!r} differs from that at "
                f"{group.place}; all systems need the same. {_SEVERAL_FIELDS}"
            )


def _check_ids(records: list[Record]) -> None:
    seen: dict[str, RecordPlace] = {}
    for record in records:
        if record.id is not None and record.id in seen:
            raise DataError(
                f"{record.place}: id {record.id!r} is given at {seen[record.id]} already; "
                "ids must be unique, unless a `system` field tells the systems apart. "
                f"{_SEVERAL_FIELDS}"
            )
        if record.id is not None:
            seen[record.id] = record.place


def _column(records: list[Record], name: str) -> list[Any] | None:
    """Return the field of all records, which all or none of them must have; facts, persona and
    documents may be missing in some.
    """
    return _complete(records, filled(name, [getattr(record, name) for record in records]), name)


def _complete(records: list[Record], column: list[Any], name: str) -> list[Any] | None:
    present = [value is not None for value in column]
    if not any(present):
        return None
    if not all(present):
        raise DataError(
            f"{records[present.index(False)].place}: no {name}, though "
            f"{records[present.index(True)].place} has one; give it for all segments or for none, "
            f"or {unusable.REMEDY}"
        )
    return column
