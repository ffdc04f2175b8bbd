"""Read human judgements, whatever tool collected them.

Formats: records with the fields of `Judgements`, or with a field `human` (jsonl, tsv, csv,
parquet); ratings of whole systems in one object (json); error annotations (mqm); direct assessments
as Appraise exports them (appraise); score files and folders of mt-metrics-eval (mtme); the database
of an annotation study (study).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any

from nlgauge.data.judgements import NAMES, Judgements
from nlgauge.data.labels import Labels
from nlgauge.data.paths import is_folder
from nlgauge.errors import DataError, SpecError
from nlgauge.io.fields import UNNAMED, Record, RecordPlace, check_characters, parse, with_id
from nlgauge.io.files import read_utf8, shown, warn
from nlgauge.io.json_text import parse_json
from nlgauge.io.judgements import appraise, mqm
from nlgauge.io.judgements.judged_outputs import JudgedOutput, group_of, item_of, ratings_of
from nlgauge.io.judgements.preferences import is_preference, preferred
from nlgauge.io.judgements.study_judgements import is_study, read_study_judgements
from nlgauge.io.request import Request
from nlgauge.io.scores import mtme_scores
from nlgauge.io.texts import jsonl, parquet
from nlgauge.io.texts.suites import PathLike, guess_format, names_of
from nlgauge.io.texts.systems import stem
from nlgauge.io.texts.tables import records as table_records
from nlgauge.io.texts.tables import split_csv, split_tsv
from nlgauge.io.write import unquoted, write_jsonl, write_tsv

FORMATS = ("jsonl", "tsv", "csv", "parquet", "json", "mqm", "appraise", "mtme", "study")
COLUMNS = tuple(field.name for field in fields_of(Judgements))
_ALSO = {
    **dict.fromkeys(("id", "segment_id", "segment", "seg_id"), "item"),
    **dict.fromkeys(("rater", "evaluator", "user", "judge"), "annotator"),
    **dict.fromkeys(("score", "rating"), "value"),
    "category": "label",
}
Row = tuple[RecordPlace, dict[str, Any]]


def read_judgements(
    paths: PathLike | Sequence[PathLike],
    *,
    format: str | None = None,
    encoding: str = "utf-8",
    split: str | None = None,
    id_fields: Sequence[str] = (),
    ids: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
) -> Judgements:
    """Read all judgements of all files. The format is told by the extension and the first line.

    `paths`: files, or for mtme a folder and a language pair. `split`, `id_fields`: see
    `read_outputs`. `ids`: those of the segments judged; items that are numbers from 1 are then
    called by them. `weights`: of errors (mqm), such as {"major": 10}; see `mqm.WEIGHTS`.
    """
    names = names_of(paths)
    if not names:
        raise DataError("no file with judgements is given; name at least one")
    if format is not None and format not in FORMATS:
        raise SpecError(f"format={format!r} is not known; choose one of: {', '.join(FORMATS)}")
    Request("jsonl", names, encoding=encoding).check()
    if format == "mtme" or (format is None and _is_mtme(names)):
        judgements = Judgements.build(list(mtme_scores.read(names, encoding)))
    else:
        parts = [_read(name, format, encoding, split, id_fields, weights) for name in names]
        judgements = parts[0] if len(parts) == 1 else Judgements.join(parts)
    return judgements if ids is None else with_ids(judgements, ids)


def write_judgements(path: PathLike, judgements: Judgements) -> None:
    """Write judgements as jsonl, or as tsv if the name ends in it; `read_judgements` reads both."""
    records = judgements.records()
    if guess_format([path]) != "tsv":
        write_jsonl(path, records)
        return
    used = [name for name in COLUMNS if any(name in record for record in records)]
    write_tsv(path, used, ([record.get(name, "") for name in used] for record in records))


def with_ids(judgements: Judgements, ids: Sequence[str]) -> Judgements:
    """Return judgements with ids of segments in place of numbers from 1."""
    names = judgements.item.names
    known = set(ids)
    if all(name in known for name in names):
        return judgements
    for name in names:
        if not (name.isdecimal() and len(name) < 19 and 1 <= int(name) <= len(ids)):
            raise DataError(
                f"judged item {name!r} is neither an id of a segment, like {ids[0]!r}, nor a "
                f"number from 1 to {len(ids)}; judge the texts that are scored"
            )
    return replace(judgements, item=Labels.build(_called(judgements.item, ids)))


def _called(items: Labels, ids: Sequence[str]) -> Iterator[str | None]:
    return (None if name is None else ids[int(name) - 1] for name in items)


def _is_mtme(names: Sequence[str]) -> bool:
    return is_folder(names[0]) or all(name.removesuffix(".gz").endswith(".score") for name in names)


def _read(
    path: str,
    format: str | None,
    encoding: str,
    split: str | None,
    id_fields: Sequence[str],
    weights: Mapping[str, float] | None,
) -> Judgements:
    file = shown(path)
    if format == "study" or (format is None and is_study(path)):
        return read_study_judgements(path)
    kind = format or guess_format([path])
    if kind in ("json", "coco"):  # by its name, any JSON file might be captions
        return _of_systems(file, parse_json(read_utf8(path, encoding), file, lines=True))
    if kind in ("jsonl", "parquet"):
        module = jsonl if kind == "jsonl" else parquet
        return _from_records(
            file, module.rows(Request(kind, (path,), encoding=encoding)), split, id_fields
        )
    comma = kind in ("csv", "appraise")
    if not comma and kind not in ("tsv", "mqm"):
        raise DataError(
            f"{file}: the name does not tell the format; give format=... (--format), one of "
            f"{_list(FORMATS)}"
        )
    data = read_utf8(path, encoding, keep_line_ends=comma)
    lines = list(split_csv(file, data) if comma else split_tsv(file, data))
    header = list(lines[0][1])
    if kind == "mqm" or (format is None and kind == "tsv" and mqm.is_header(header)):
        return Judgements.build(list(mqm.read(file, lines, weights)))
    if kind == "appraise" or (format is None and kind == "csv" and appraise.is_first(header)):
        return Judgements.build(list(appraise.read(file, lines)))
    rows = table_records(file, lines) if "human" in header else _records(file, lines)
    return _from_records(file, rows, split, id_fields)


def _records(file: str, lines: Sequence[tuple[int, Sequence[str]]]) -> Iterator[Row]:
    header = list(lines[0][1])
    if not any(_ALSO.get(name, name) in COLUMNS for name in header):
        raise DataError(
            f"{file}, line 1: no header row; the first line must name the columns, some of: "
            f"{_list(COLUMNS)}"
        )
    for number, cells in lines[1:]:
        place = RecordPlace(file, "line", number)
        if len(cells) != len(header):
            raise DataError(
                f"{place}: {len(cells)} fields, the header row has {len(header)}; check for stray "
                "separators and line breaks"
            )
        # As `write_judgements` writes names.
        given = {name: unquoted(cell) for name, cell in zip(header, cells, strict=True)}
        yield place, {name: cell for name, cell in given.items() if cell != ""}


def _of_systems(file: str, data: Any) -> Judgements:
    """Read ratings of whole systems: {system: number}, or {part: {system: number}}."""
    expected = "an object {system: number}, or {part: {system: number}}"
    if not isinstance(data, dict) or not data:
        raise DataError(f"{file}: {type(data).__name__}, expected {expected}")
    nested = all(isinstance(value, dict) for value in data.values())
    rows = []
    for part, ratings in data.items() if nested else [(None, data)]:
        for system, value in ratings.items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise DataError(f"{file}: {system!r} is {value!r:.60}; expected {expected}")
            rows.append({"system": system, "value": value, "part": part})
    return Judgements.build(rows)


def _from_records(
    file: str, rows: Iterable[Row], split: str | None, id_fields: Sequence[str]
) -> Judgements:
    # Judgements that name their `item` may hold the whole id already.
    found = [
        (place, dict(fields if "item" in fields else with_id(place, fields, id_fields)))
        for place, fields in rows
    ]
    if not found:
        raise DataError(f"{file}: there are no judgements; check what should have written them")
    if any("human" in fields for _, fields in found):
        return _from_human(file, found, split)
    if any(is_preference(fields) for _, fields in found):
        return Judgements.build([_preference(place, fields, split) for place, fields in found])
    unknown: dict[str, None] = {}
    records = [_record(place, fields, split, unknown) for place, fields in found]
    if unknown:
        warn(f"{file}: ignored {_list(unknown)}; judgements have {_list(COLUMNS)}")
    return Judgements.build(records)


def _from_human(file: str, found: Sequence[Row], split: str | None) -> Judgements:
    """Read judgements from records of outputs; the texts may be left out."""
    seen: dict[tuple[str, str], int] = {}
    again: list[RecordPlace] = []
    records = []
    parsed = [
        (
            parse(place, {k: v for k, v in fields.items() if k != split}, {}),
            None if split is None else group_of(place, fields, split),
        )
        for place, fields in found
    ]
    if _whole_systems(parsed):
        return _ratings([JudgedOutput(r, None, r.system or "", part) for r, part in parsed], file)
    for number, (record, part) in enumerate(parsed, 1):
        place = record.place
        item = item_of(record.id or str(number), part)
        system = record.system or next(iter(record.hypotheses), UNNAMED) or stem(place.file)
        count = seen[item, system] = seen.get((item, system), 0) + 1
        if count > 1:
            again.append(place)
            item = f"{item}#{count}"
        records.append(JudgedOutput(record, item, system, part))
    if again:
        warn(
            f"{again[0]}: the same id and system once more ({len(again)} such records); each is an "
            "item of its own, called id#2 and so on. If ids repeat in parts of the data, give the "
            "field that tells the parts as split (--split lang_pair)"
        )
    return _ratings(records, file)


def _ratings(records: Sequence[JudgedOutput], file: str) -> Judgements:
    ratings = ratings_of(records)
    if ratings is None:
        raise DataError(f"{file}: no field `human` holds a rating")
    return ratings


def _whole_systems(parsed: Sequence[tuple[Record, str | None]]) -> bool:
    """Return whether records rate systems as such: they have neither id nor text, and every system
    of a part is there once.
    """
    bare = all(
        r.system and r.id is None and not r.hypotheses and not r.references for r, _ in parsed
    )
    return bare and len({(r.system, part) for r, part in parsed}) == len(parsed)


def _preference(place: RecordPlace, fields: Mapping[str, Any], split: str | None) -> dict[str, Any]:
    better, worse = preferred(place, fields)
    known = {k: v for k, v in fields.items() if _ALSO.get(k, k) in COLUMNS or k == split}
    known |= {"system": better, "against": worse, "value": 1}
    return _record(place, known, split, {})


def _record(
    place: RecordPlace, fields: Mapping[str, Any], split: str | None, unknown: dict[str, None]
) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for given, value in fields.items():
        name = _ALSO.get(given, given)
        if given == split or value is None:
            continue
        if name not in COLUMNS:
            unknown[given] = None
        elif name in record:
            raise DataError(f"{place}: {given!r} says {name!r} once more; keep one")
        else:
            record[name] = (_name if name in NAMES else _number)(place, given, value)
    if split is not None and ("item" in record or split in fields):
        record["part"] = group_of(place, fields, split)
        if "item" in record:
            record["item"] = item_of(record["item"], record["part"])
    _check(place, record)
    return record


def _check(place: RecordPlace, record: Mapping[str, Any]) -> None:
    if "value" not in record and "label" not in record:
        raise DataError(f"{place}: neither 'value' nor 'label'; a judgement needs one of them")
    if "against" not in record:
        return
    if "system" not in record or record["system"] == record["against"]:
        raise DataError(f"{place}: 'against' needs another 'system' that it was compared with")
    if record.get("value") not in (0, 0.5, 1):
        raise DataError(
            f"{place}: value {record.get('value')} of a comparison; it is 1 if 'system' is better, "
            "0 if 'against' is, and 0.5 for a tie"
        )


def _name(place: RecordPlace, field: str, value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value:
        raise DataError(f"{place}: field {field!r} is {value!r:.60}, expected a name")
    check_characters(place, field, value)
    return value


def _number(place: RecordPlace, field: str, value: Any) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise DataError(f"{place}: field {field!r} is {value!r:.60}, expected a number")
    return number


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)
