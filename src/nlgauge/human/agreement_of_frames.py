"""Measure how far annotators agree, from a data frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nlgauge.core.facts.choices import ValueScale
from nlgauge.core.facts.defaults import RESAMPLES, SEED
from nlgauge.data import columns
from nlgauge.data.judgements import Judgements
from nlgauge.errors import SpecError
from nlgauge.human.annotator_agreement import Agreement, agreement


def annotator_agreement(
    given: Any,
    *,
    annotators: Sequence[str] | None = None,
    annotator: str = "annotator",
    item: str | None = None,
    system: str | None = None,
    criterion: str | None = None,
    value: str | None = None,
    label: str | None = None,
    level: ValueScale = "auto",
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Agreement:
    """Measure how far annotators agree, with intervals.

    A data frame has one row for each thing said, and the arguments name its columns: who said it
    (`annotator`), of what (`item`, `system`), by which `criterion`, and the `value` or the `label`.
    Or it has one row for each output, and `annotators` are the columns of their ratings. Judgements
    (`nlgauge.data.Judgements`) may be given, too.

    >>> rows = [{"ann": 1, "bob": 1}, {"ann": 3, "bob": 4}, {"ann": 5, "bob": 5}]
    >>> found = nlgauge.annotator_agreement(rows, annotators=["ann", "bob"], resamples=100)
    >>> len(found.to_pandas()) > 0
    True
    """
    if not isinstance(given, Judgements):
        named = {"item": item, "system": system, "criterion": criterion}
        if annotators is not None:
            rows = _of_columns(given, annotators, named)
        else:
            named |= {"annotator": annotator, "value": value, "label": label}
            if value is None and label is None:
                named["value"] = "value"
            rows = _rows(given, named)
        given = Judgements.build(rows)
    return agreement(given, level=level, resamples=resamples, seed=seed)


def _rows(given: Any, names: dict[str, str | None]) -> list[dict[str, Any]]:
    """Return judgements of a frame, whose columns have these names; rows are items of their own
    where none is named.
    """
    made = []
    for i, row in enumerate(columns.records("judgements", given), 1):
        place = f"judgements, row {i}"
        fields = {field: columns.cell(place, row, name) for field, name in names.items() if name}
        if names["item"] is None:
            fields["item"] = row.get("item", row.get("id"))
        if fields["item"] is None and "annotator" in names:
            raise SpecError("item: name the column that tells which output a row is about")
        made.append({"item": str(i), **{k: v for k, v in fields.items() if v is not None}})
    return made


def _of_columns(
    given: Any, annotators: Sequence[str], names: dict[str, str | None]
) -> list[dict[str, Any]]:
    """Return a judgement for each annotator's cell that holds something."""
    records = columns.records("judgements", given)
    made = []
    for base, row in zip(_rows(given, names), records, strict=True):
        for name in annotators:
            said = columns.cell("judgements", row, name)
            if said is not None:
                kind = "label" if isinstance(said, str) else "value"
                made.append({**base, "annotator": name, kind: said})
    return made
