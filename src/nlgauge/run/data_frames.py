"""Read data frames of pandas, polars and pyarrow, and lists of records, as files are read.

A frame has one row for each output, or for each segment with a column for each system. Columns
that are called as in files (docs/guide/input.md) are known by their names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

from nlgauge.core.outputs import Outputs, OutputScores
from nlgauge.data import columns
from nlgauge.data.corpus import Suite
from nlgauge.data.judgements import Judgements
from nlgauge.errors import DataError
from nlgauge.io.column_names import ColumnNames
from nlgauge.io.fields import FieldMeaning, RecordPlace, role_of
from nlgauge.io.judgements.judged_outputs import collect_outputs, item_of
from nlgauge.io.request import Request
from nlgauge.io.scores.score_files import collect_scores, row_scores
from nlgauge.io.texts.records import build_suite

FRAME = "data frame"  # how messages call it
# Fields that are called so, whatever their column is.
USUAL = tuple(map(FieldMeaning, ("id", "system", "hypothesis")))

Rows = list[tuple[RecordPlace, dict[str, Any]]]


@dataclass(frozen=True)
class DataFrame:
    """A frame has rows of named values, and says which of its columns hold what."""

    rows: Rows
    names: ColumnNames
    skip_unusable: bool = False

    @classmethod
    def read(
        cls, given: Any, *, skip_unusable: bool = False, **names: str | Iterable[str] | None
    ) -> DataFrame:
        """Take the rows of a frame; `names` are the columns of each field."""
        records = columns.records(FRAME, given)
        if not records:
            raise DataError(f"{FRAME}: there are no rows")
        names = {field: _as_names(given) for field, given in names.items()}
        _refuse_texts(names.get("references"), records)
        placed = [
            (RecordPlace(FRAME, "row", i), {name: _plain(v) for name, v in row.items()})
            for i, row in enumerate(records, 1)
        ]
        return cls(placed, ColumnNames.build(names), skip_unusable)

    def suite(self) -> Suite:
        """Return every system's outputs for the same segments."""
        request = Request("frame", (FRAME,), skip_unusable=self.skip_unusable)
        rows = self._records()
        kinds = {getattr(role_of(name), "kind", None) for _, row in rows for name in row}
        if not kinds & {"hypothesis", "hypotheses", "annotation", "turns"}:
            known = ", ".join(map(repr, self.rows[0][1]))
            raise DataError(
                f"{FRAME}: which column holds the outputs? Name it, as in hypothesis='summary'; "
                f"there is: {known}"
            )
        return build_suite(request, rows)

    def outputs(
        self, split: str | None = None, *, texts: bool = True
    ) -> tuple[Outputs, Judgements | None]:
        """Return outputs of which not every system has every item, and what people said. Without
        `texts`, the outputs are empty: they stand for their scores.
        """
        rows = self._records([] if split is None else [split])
        if not texts:
            rows = [(place, {"system": "system", **_without_texts(row)}) for place, row in rows]
        return collect_outputs(rows, FRAME, split=split, skip_unusable=self.skip_unusable)

    def scores(
        self,
        wanted: Collection[str] | None = None,
        lower_is_better: Collection[str] = (),
        split: str | None = None,
    ) -> OutputScores:
        """Return the columns of scores that other tools gave: those wanted, or all numbers."""
        names = list(wanted or _numeric(self.rows, self.names))
        for name in names:
            columns.cell(FRAME, self.rows[0][1], name)
        if not names:
            raise DataError(f"{FRAME}: no column of numbers; name those that hold scores")
        rows = []
        for place, fields in self._records([*names, *([] if split is None else [split])]):
            row = {name: fields[name] for name in ("system", *names) if name in fields}
            item, part = fields.get("id"), None if split is None else str(fields[split])
            rows.append((place, row if item is None else {**row, "id": item_of(str(item), part)}))
        source = f"frame@{hashlib.sha256(repr(rows).encode()).hexdigest()[:12]}"
        found = ((source, score) for score in row_scores(rows, "system"))
        return collect_scores(found, FRAME, lower_is_better=lower_is_better)

    def _records(self, keep: Collection[str] = ()) -> Rows:
        """Return rows under the usual names. Where there are systems but no ids, the rows of a
        system are numbered: what segments share must then be the same, or it is refused.
        """
        rows = [
            (place, self._known(self.names.renamed(place, row, keep), keep))
            for place, row in self.rows
        ]
        counts: dict[Any, int] = {}
        some = any(row.get("id") is not None for _, row in rows)
        for place, row in rows:
            for name in ("id", "system"):
                row |= {name: _whole(row[name])} if name in row else {}
            system = row.get("system")
            if isinstance(system, Real):
                system = row["system"] = str(system)
            if some and row.get("id") is None:
                raise DataError(
                    f"{place}: there is no id; every row needs one, or name no column for ids"
                )
            if system is not None and row.get("id") is None:
                counts[system] = counts.get(system, 0) + 1
                row["id"] = str(counts[system])
        return rows

    def _known(self, row: dict[str, Any], keep: Collection[str]) -> dict[str, Any]:
        """Leave out columns that hold no field; a single system is called by its column."""
        row = {
            name if name in keep else _usual(name, row): value
            for name, value in row.items()
            if role_of(name) or name in keep
        }
        if "system" not in row and "hypothesis" in row:
            (row["system"],) = dict(self.names.given).get("hypothesis", ("system",))
        return row


def _usual(name: str, row: Collection[str]) -> str:
    """Return what an id, a system or an output is called, unless two columns claim to be it."""
    role = role_of(name)
    if role not in USUAL or sum(role_of(other) == role for other in row) > 1:
        return name
    return role.kind


def _without_texts(row: dict[str, Any]) -> dict[str, Any]:
    kept = ("id", "system", "human")
    known = {name: value for name, value in row.items() if name in kept or not role_of(name)}
    return {**known, "hypothesis": ""}


def _plain(value: Any) -> Any:
    """Return a cell as JSON would have it: arrays of a cell are lists."""
    if columns.is_missing(value):
        return None
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, Decimal):  # as databases have numbers
        return float(value)
    return list(value) if isinstance(value, tuple) else value


def _whole(value: Any) -> Any:
    """Return a whole number as such: where values are missing, pandas makes floats of them."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _as_names(given: Any) -> Any:
    """Return names of columns as text: frames of pandas may number theirs."""
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given)
    return [_as_names(name) for name in given] if isinstance(given, list | tuple) else given


def _refuse_texts(references: Any, records: Sequence[Mapping[str, Any]]) -> None:
    """Refuse texts where the name of a column is expected: a column of a frame, or a list."""
    if references is None or isinstance(references, str):
        return
    known = list(records[0])
    listed = isinstance(references, list | tuple)
    if not listed or (len(references) == len(records) and not set(references) & set(known)):
        raise DataError(
            f"references: {type(references).__name__} of texts beside a data frame; name its "
            f"columns, as in score(data, {known[-1]!r}, hypothesis={known[0]!r}), or give columns "
            f"for both, as in score(data[{known[0]!r}], data[{known[-1]!r}])"
        )


def _numeric(rows: Rows, names: ColumnNames) -> list[str]:
    def number(value: Any) -> bool:
        return isinstance(value, Real) and not isinstance(value, bool)

    named = {name for _, columns in names.given for name in columns}
    return [
        name
        for name in rows[0][1]
        if name not in named
        and names.meaning(name) is None
        and all(number(row[name]) for _, row in rows)
    ]
