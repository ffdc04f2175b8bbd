"""Read what is judged: records of outputs with their context, gold answers and pictures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nlgauge.annotate.design.study import Study
from nlgauge.errors import DataError
from nlgauge.io.fields import UNNAMED, RecordPlace, parse, role_of
from nlgauge.io.request import Request
from nlgauge.io.texts.suites import RECORD_FORMATS, guess_format, read_rows
from nlgauge.io.texts.systems import stem

GOLD = "gold"
LARGEST_PICTURE = 20 << 20
# Pictures that cannot run scripts, by their first bytes.
_PICTURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
}
# Kinds of fields that are not part of the item, or are read already.
_OUTPUT = {
    "id", "system", "hypothesis", "hypotheses", "human", "reference", "references", "weights",
}  # fmt: skip


@dataclass(frozen=True)
class Picture:
    """A picture is kept in the study, under the hash of its bytes."""

    name: str
    type: str
    data: bytes


@dataclass
class StudyItem:
    """An item is what outputs are about."""

    name: str
    place: str
    record: dict[str, Any]
    outputs: dict[str, str] = field(default_factory=dict)


@dataclass
class StudyRecords:
    """All items of a study, in the order of the files, and their pictures."""

    items: list[StudyItem]
    pictures: dict[str, Picture]


def read_records(paths: Sequence[str], study: Study) -> StudyRecords:
    """Read all items; records with the same id are outputs of one item."""
    format = guess_format(paths)
    if format not in RECORD_FORMATS:
        raise DataError(
            f"{', '.join(paths)}: a study reads records ({', '.join(RECORD_FORMATS)}), not {format}"
        )
    request = Request(format, tuple(paths))
    request.check()
    found: dict[str, StudyItem] = {}
    pictures: dict[str, Picture] = {}
    for number, (place, given) in enumerate(read_rows(request), 1):
        known = {k: v for k, v in given.items() if k not in ("context", "table", "image")}
        record = parse(place, known, {})
        own = {k: v for k, v in given.items() if v is not None and not _is_output(k)}
        if record.references:
            own["references"] = record.references
        if isinstance(own.get(GOLD), str):  # as in a table
            own[GOLD] = _parsed(place, own[GOLD])
            if not own[GOLD]:
                del own[GOLD]
        if "image" in own:
            own["image"] = _picture(place, own["image"], pictures)
        name = record.id or str(number)
        item = found.setdefault(name, StudyItem(name, str(place), own))
        if item.record != own:
            raise DataError(
                f"{place}: item {name!r} has other fields than at {item.place}; records of one id "
                "differ in nothing but system and hypothesis"
            )
        for system, text in record.hypotheses.items():
            called = record.system or (stem(place.file) if system == UNNAMED else system)
            if called in item.outputs:
                raise DataError(f"{place}: system {called!r} has an output for {name!r} already")
            item.outputs[called] = text
    records = StudyRecords(list(found.values()), pictures)
    _check(records, study)
    return records


def _parsed(place: RecordPlace, text: str) -> Any:
    try:
        return json.loads(text) if text.strip() else None
    except ValueError:
        raise DataError(f'{place}: gold is no JSON such as {{"fluency": 5}}') from None


def _is_output(name: str) -> bool:
    role = role_of(name)
    return role is not None and role.kind in _OUTPUT


def _check(records: StudyRecords, study: Study) -> None:
    if not records.items:
        raise DataError("there is nothing to judge; the files hold no record")
    gold = [item for item in records.items if GOLD in item.record]
    if study.screening.items > len(gold):
        raise DataError(
            f"screening has {study.screening.items} items, but {len(gold)} records have a field "
            "`gold`; add some, or ask for fewer"
        )
    for item in records.items:
        for name in study.show:
            if name not in item.record:
                raise DataError(
                    f"{item.place}: no {name!r}, which the study shows; add it, or take it out of "
                    "`show`"
                )
        for question in study.questions:
            try:
                question.check_record(item.record)
            except DataError as error:
                raise DataError(f"{item.place}: {error}") from None
            if question.info.unit != "item" and not item.outputs:
                raise DataError(
                    f"{item.place}: no hypothesis, which {question.info.name} asks about; add it"
                )
        if GOLD in item.record:
            _check_gold(item, study)


def _check_gold(item: StudyItem, study: Study) -> None:
    """Refuse known answers to what nobody is asked: they could never be right."""
    gold = item.record[GOLD]
    if not isinstance(gold, Mapping) or not gold:
        raise DataError(f'{item.place}: gold is no object such as {{"fluency": 5}}')
    asked = [c for question in study.questions for c in question.criteria(item.name, item.record)]
    for criterion in gold:
        if criterion not in asked:
            raise DataError(
                f"{item.place}: gold has an answer for {criterion!r}, which is not asked; there is "
                f"{', '.join(map(repr, asked))}"
            )


def _picture(place: RecordPlace, name: Any, pictures: dict[str, Picture]) -> str:
    folder = Path(place.file).resolve().parent
    if not isinstance(name, str) or not name:
        raise DataError(f"{place}: image is {name!r:.40}, expected the name of a file")
    file = (folder / name).resolve()
    if folder not in file.parents:
        raise DataError(f"{place}: image {name!r} is not in the folder of the records")
    try:
        data = file.read_bytes() if file.stat().st_size <= LARGEST_PICTURE else None
    except OSError as error:
        raise DataError(f"{place}: image {name!r} cannot be read ({error.strerror})") from None
    if data is None:
        raise DataError(f"{place}: image {name!r} is over {LARGEST_PICTURE >> 20} MiB; shrink it")
    type = next((kind for start, kind in _PICTURES.items() if data.startswith(start)), None)
    if type is None:
        raise DataError(f"{place}: image {name!r} is no PNG, JPEG, GIF or WebP; convert it")
    key = hashlib.sha256(data).hexdigest()[:32]
    pictures[key] = Picture(key, type, data)
    return key
