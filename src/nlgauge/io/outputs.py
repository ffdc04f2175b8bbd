"""Judged outputs: records (tsv, csv, jsonl, parquet) whose field `human` holds the ratings.

    {"id": 7, "system": "north", "references": ["..."], "hypothesis": "...",
     "human": {"fluency": 4, "adequacy": [3, 4, 5]}}

A list has one number per annotator, null where one gave none; its annotators are called 1, 2 and so
on. Not every system needs an output for every id.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from nlgauge.data import Corpus
from nlgauge.errors import DataError, SpecError
from nlgauge.human.judgements import Judgements
from nlgauge.io import MODULES, PathLike, guess_format, names_of
from nlgauge.io.fields import UNNAMED, Place, Record, parse
from nlgauge.io.files import shown
from nlgauge.io.records import RECORD_FORMATS
from nlgauge.io.request import Request
from nlgauge.io.systems import stem
from nlgauge.labels import Labels
from nlgauge.outputs import Outputs


def read_outputs(
    paths: PathLike | Sequence[PathLike],
    *,
    format: str | None = None,
    encoding: str = "utf-8",
    split: str | None = None,
) -> tuple[Outputs, Judgements | None]:
    """Outputs, and their ratings if there are any. `split` names a field, such as `lang_pair`,
    whose values hold items of their own: the same id in two of them is two items.
    """
    names = names_of(paths)
    format = format or guess_format(names)
    if format not in RECORD_FORMATS:
        raise SpecError(
            f"{', '.join(map(shown, names))}: judged outputs are read from "
            f"{', '.join(RECORD_FORMATS)}, not from {format}; give format=..., or the judgements "
            "in a file of their own"
        )
    request = Request(format, names, encoding=encoding)
    request.check()
    rows = import_module(f"nlgauge.io.{MODULES[format]}").rows(request)
    found: list[tuple[Record, str, str, str | None]] = []  # with item, system and group
    places: dict[tuple[str, str], Place] = {}
    for number, (place, fields) in enumerate(rows, 1):
        record = parse(place, {k: v for k, v in fields.items() if k != split}, {})
        group = None if split is None else group_of(place, fields, split)
        item = record.id or str(number)
        if group is not None:
            item = f"{group}/{item}"
        if record.human is not None and len(record.hypotheses) != 1:
            raise DataError(
                f"{place}: `human` with {len(record.hypotheses)} hypotheses; ratings belong to "
                "exactly one, so write one record per system"
            )
        for name in record.hypotheses:
            system = record.system or (stem(place.file) if name == UNNAMED else name)
            if (item, system) in places:
                raise DataError(
                    f"{place}: system {system!r} has an output for {item!r} at "
                    f"{places[item, system]} already; ids must be unique for each system, or for "
                    "each value of the field given as split (--split lang_pair); records without "
                    "ids are items of their own"
                )
            places[item, system] = place
            found.append((record, item, system, group))
    if not found:
        raise DataError(f"{', '.join(map(shown, names))}: there are no hypotheses")
    return _outputs(found, split), ratings_of(found)


def group_of(place: Place, fields: Mapping[str, Any], split: str) -> str:
    """The value of the field to split by."""
    value = fields.get(split)
    if not isinstance(value, str | int):
        raise DataError(f"{place}: no field {split!r} to split by; every record needs one")
    return str(value)


def _outputs(found: list[tuple[Record, str, str, str | None]], split: str | None) -> Outputs:
    records = [record for record, *_ in found]
    columns: dict[str, Any] = {}
    for name in ("source", "context", "table"):
        values = [getattr(record, name) for record in records]
        if all(value is not None for value in values):
            columns[f"{name}s"] = values
    refs = [record.references or [] for record in records]
    corpus = Corpus.build(
        [_text(record, system) for record, _, system, _ in found],
        refs if any(refs) else None,
        name="outputs",
        **columns,
    )
    return Outputs(
        corpus=corpus,
        items=Labels.build(item for _, item, *_ in found),
        systems=Labels.build(system for _, _, system, _ in found),
        groups={} if split is None else {split: Labels.build(group for *_, group in found)},
    )


def _text(record: Record, system: str) -> str:
    texts = record.hypotheses
    return texts[system] if system in texts else texts[UNNAMED]


def ratings_of(found: Sequence[tuple[Record, str, str, str | None]]) -> Judgements | None:
    """What the `human` fields of records hold; each comes with its item, system and group."""
    rows = [
        {
            "item": item,
            "system": system,
            "criterion": criterion,
            "annotator": str(k) if len(values) > 1 else None,
            "value": value,
            "part": part,
        }
        for record, item, system, part in found
        for criterion, values in (record.human or {}).items()
        for k, value in enumerate(values, 1)
        if not math.isnan(value)
    ]
    return Judgements.build(rows) if rows else None
