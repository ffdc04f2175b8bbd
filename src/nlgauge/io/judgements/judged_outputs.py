"""Read judged outputs: records (tsv, csv, jsonl, parquet) whose field `human` holds the ratings.

    {"id": 7, "system": "north", "references": ["..."], "hypothesis": "...",
     "human": {"fluency": 4, "adequacy": [3, 4, 5]}}

A list has one number per annotator, null where one gave none; its annotators are called 1, 2 and so
on. Not every system needs an output for every id. `better` and `worse` in place of `human` say
which of two outputs people prefer; see `preferences`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from nlgauge.core.outputs import Outputs
from nlgauge.data.corpus import Corpus
from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import Labels
from nlgauge.errors import DataError, SpecError
from nlgauge.io.column_names import ColumnNames, GivenColumns
from nlgauge.io.fields import UNNAMED, Record, RecordPlace, parse, with_id
from nlgauge.io.files import shown, warn
from nlgauge.io.judgements import preferences
from nlgauge.io.judgements.preferences import is_preference, preferred
from nlgauge.io.request import Request
from nlgauge.io.texts import unusable
from nlgauge.io.texts.context_columns import CONTEXT, context_of, filled, read_features
from nlgauge.io.texts.suites import RECORD_FORMATS, PathLike, guess_format, names_of, read_rows
from nlgauge.io.texts.systems import stem


class JudgedOutput(NamedTuple):
    """A record that holds the output of one system, in one part of a split."""

    record: Record
    item: str | None  # None: a rating of the system as a whole
    system: str
    part: str | None


def read_outputs(
    paths: PathLike | Sequence[PathLike],
    *,
    format: str | None = None,
    encoding: str = "utf-8",
    split: str | None = None,
    id_fields: Sequence[str] = (),
    skip_unusable: bool = False,
    features: str | None = None,
    columns: GivenColumns = ColumnNames(),  # noqa: B008
    rated: bool = True,
) -> tuple[Outputs, Judgements | None]:
    """Read outputs and, if `rated`, what people said of them, if anything. `split` names a field,
    such as `lang_pair`, whose values hold items of their own: the same id in two is two items.
    `id_fields` together make the id; `skip_unusable` leaves out records without an output and,
    where others have some, without references. `features` is an .npz file with a row for each id.
    """
    names = names_of(paths)
    files = ", ".join(map(shown, names))
    format = format or guess_format(names)
    if format not in RECORD_FORMATS:
        raise SpecError(
            f"{files}: judged outputs are read from {', '.join(RECORD_FORMATS)}, not from "
            f"{format}; give format=..., or the judgements in a file of their own"
        )
    request = Request(format, names, encoding=encoding, columns=ColumnNames.of(columns))
    request.check()
    rows = read_rows(request, [*id_fields, *([] if split is None else [split])])
    return collect_outputs(
        rows,
        files,
        split=split,
        id_fields=id_fields,
        skip_unusable=skip_unusable,
        features=features,
        rated=rated,
    )


def collect_outputs(
    rows: Iterable[tuple[RecordPlace, Mapping[str, Any]]],
    files: str,
    *,
    split: str | None = None,
    id_fields: Sequence[str] = (),
    skip_unusable: bool = False,
    features: str | None = None,
    rated: bool = True,
) -> tuple[Outputs, Judgements | None]:
    """Collect outputs, and what people said of them, from records; `files` is their name in
    messages, and the others are as for `read_outputs`.
    """
    collected = _Collected(skip_unusable)
    for number, (place, given) in enumerate(rows, 1):
        part = None if split is None else group_of(place, given, split)
        fields = {k: v for k, v in with_id(place, given, id_fields).items() if k != split}
        collected.add(place, number, fields, part)
    return collected.outputs(files, split, features), collected.judgements() if rated else None


class _Collected:
    """Outputs, each once, with all ratings and comparisons that were made of them."""

    def __init__(self, skip_unusable: bool) -> None:
        self.skip_unusable = skip_unusable
        self.found: dict[tuple[str | None, str], JudgedOutput] = {}
        self.rated: list[JudgedOutput] = []  # also those of outputs that are there twice
        self.compared: list[dict[str, Any]] = []
        self.unread: list[str] = []  # records without an output
        self.whole: list[Record] = []  # which are dialogues, and no replies to their turns

    def add(
        self, place: RecordPlace, number: int, fields: dict[str, Any], part: str | None
    ) -> None:
        """Take up one row: an output, several systems' outputs, or a pair with a preference."""
        item = None
        for own in preferences.outputs(fields) if is_preference(fields) else [fields]:
            record = parse(place, own, {})
            if not record.hypotheses and record.turns:
                record.hypotheses[UNNAMED] = ""
                self.whole.append(record)
            item = item_of(record.id or str(number), part)
            self._check(record, item)
            for name in record.hypotheses:
                system = record.system or (stem(place.file) if name == UNNAMED else name)
                self._output(JudgedOutput(record, item, system, part))
        if is_preference(fields):
            better, worse = preferred(place, fields)
            row = {"item": item, "system": better, "against": worse, "value": 1, "part": part}
            self.compared.append({**row, "criterion": fields.get("criterion")})

    def _check(self, record: Record, item: str) -> None:
        count = len(record.hypotheses)
        if self.skip_unusable and not count:
            self.unread.append(item)
        elif record.human is not None and not count:
            raise DataError(
                f"{record.place}: a rating, but no `hypothesis` that it is of; ratings alone are "
                f"read with --judgements FILE, and you may {unusable.REMEDY}"
            )
        elif record.human is not None and count > 1:
            raise DataError(
                f"{record.place}: `human` with {count} hypotheses; ratings belong to exactly one, "
                "so write one record per system"
            )

    def _output(self, given: JudgedOutput) -> None:
        first = self.found.setdefault((given.item, given.system), given)
        if _texts_of(first) != _texts_of(given):
            raise DataError(
                f"{given.record.place}: system {given.system!r} has another output for "
                f"{given.item!r} at {first.record.place}; ids must be unique for each system, or "
                "for each value of the field given as split (--split lang_pair). Several fields "
                "together make an id by id_fields=... (--id-fields segment_id hypothesis); records "
                "without ids are items of their own"
            )
        self.rated.append(given)

    def outputs(self, files: str, split: str | None, features: str | None) -> Outputs:
        """Return the outputs; warn of those that are there twice or left out."""
        if again := sum(j.record.human is not None for j in self.rated) - len(self._human()):
            warn(
                f"{files}: {again} outputs are there again with the same texts; their ratings join"
            )
        found = list(self.found.values())
        if self.unread:
            listing = ", ".join(self.unread[: unusable.LISTED])
            warn(f"{files}: left out {len(self.unread)} records without an output: {listing}")
        if not self.skip_unusable:
            unusable.warn_of_whole_dialogues(files, len(self.whole), len(found))
        elif 0 < len(self.whole) < len(found):
            whole = set(map(id, self.whole))
            reasons = ["no output" if id(j.record) in whole else None for j in found]
            found = unusable.left_out(
                files, found, [f"{j.system} {j.item}" for j in found], reasons
            )
        if self.skip_unusable and any(judged.record.references for judged in found):
            names = [f"{judged.system} {judged.item}" for judged in found]
            reasons = [None if j.record.references else "no references" for j in found]
            found = unusable.left_out(files, found, names, reasons)
        if not found:
            raise DataError(
                f"{files}: there are no hypotheses; say which field has them (--columns "
                'hypothesis=NAME); two outputs of which one is better are {"better": {"system": '
                '"A", "hypothesis": "..."}, "worse": {"system": "B", "hypothesis": "..."}}'
            )
        return _outputs(found, split, features)

    def _human(self) -> set[tuple[str | None, str]]:
        return {(j.item, j.system) for j in self.rated if j.record.human is not None}

    def judgements(self) -> Judgements | None:
        """Return all that was said of the outputs."""
        parts = [ratings_of(self.rated), Judgements.build(self.compared) if self.compared else None]
        given = [part for part in parts if part is not None]
        return Judgements.join(given) if given else None


def _texts_of(judged: JudgedOutput) -> tuple[Any, ...]:
    record = judged.record
    return _text(record, judged.system), record.references, record.source, record.turns


def item_of(item: str, part: str | None) -> str:
    """Return the name of an item, which is unique in its part only."""
    return item if part is None else f"{part}/{item}"


def group_of(place: RecordPlace, fields: Mapping[str, Any], split: str) -> str:
    """Return the value of the field to split by."""
    value = fields.get(split)
    if not isinstance(value, str | int):
        raise DataError(f"{place}: no field {split!r} to split by; every record needs one")
    return str(value)


def _outputs(found: Sequence[JudgedOutput], split: str | None, features: str | None) -> Outputs:
    records = [record for record, *_ in found]
    columns: dict[str, Any] = {}
    for name in ("source", *CONTEXT, "table"):
        values = filled(name, [getattr(record, name) for record in records])
        if all(value is not None for value in values):
            columns[name] = values
    if features is not None:
        columns["features"] = read_features(features, [r.id or "" for r in records])
    refs = [record.references or [] for record in records]
    corpus = Corpus.build(
        [_text(record, system) for record, _, system, _ in found],
        refs if any(refs) else None,
        name="outputs",
        sources=columns.get("source"),
        tables=columns.get("table"),
        contexts=context_of(columns),
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


def ratings_of(found: Sequence[JudgedOutput]) -> Judgements | None:
    """Return what the `human` fields of records hold, each with its item, system and group; None
    if no record has such a field. A criterion that nobody has a number for is told.
    """
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
    empty = _without_numbers([record for record, *_ in found])
    if rows and empty:
        warn(f"{'; '.join(empty)}; nothing is known of it")
    elif empty:
        raise DataError(
            f"there are no judgements: {'; '.join(empty)}; write numbers there, or give a file of "
            "judgements (--judgements)"
        )
    return Judgements.build(rows) if rows else None


def _without_numbers(records: Sequence[Record]) -> list[str]:
    """Say which criteria are null in every record that names them, and where the first is."""
    first: dict[str, RecordPlace] = {}
    count: Counter[str] = Counter()
    rated = set()
    for record in records:
        for criterion, values in (record.human or {}).items():
            first.setdefault(criterion, record.place)
            count[criterion] += 1
            if not all(map(math.isnan, values)):
                rated.add(criterion)
    return [
        f"{place}: {criterion!r} of field `human` is null, here and wherever it is named "
        f"(records: {count[criterion]})"
        for criterion, place in first.items()
        if criterion not in rated
    ]
