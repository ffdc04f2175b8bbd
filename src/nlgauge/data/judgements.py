"""Hold what people said about outputs, in long form, one row for each thing said.

    item  system  annotator  criterion  value  label  severity  start  end  against  part  seconds
    propensity

A rating has a `value`. A category has a `label`; several rows with labels by one annotator on one
output are a set. An error that was marked has its category as `label`, a `severity`, and the
characters [`start`, `end`) of the output, unless something is missing there. A comparison has the
other system in `against`, and the value 1 for "`system` is better", 0.5 for a tie and 0 for
"`against` is better". A row without an `item` is about the system as a whole. A row whose output
was drawn by lot, with odds that earlier judgements changed, has the probability with which it was
drawn as `propensity`. Where a set has parts, such as language pairs, `part` says which one the row
is about: systems of the same name in two parts are two systems.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import Any

import numpy as np

from nlgauge.data import columns
from nlgauge.data.labels import NONE, Labels, Rows
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats

NUMBERS = ("value", "seconds", "propensity", "start", "end")
NAMES = (
    *("item", "system", "annotator", "criterion", "label", "against", "protocol", "part"),
    "severity",
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Judgements:
    """Judgements are columns of equal length; the module says what a row stands for."""

    item: Labels
    system: Labels
    annotator: Labels
    criterion: Labels
    label: Labels
    against: Labels
    protocol: Labels
    part: Labels
    severity: Labels  # of an error that was marked
    value: Floats  # NaN: only a label was given
    seconds: Floats  # that it took; NaN: not known
    propensity: Floats  # probability with which the output was drawn; NaN: not known
    start: Floats  # the first character of a marked error; NaN: nothing is marked
    end: Floats  # the character behind its last

    @classmethod
    def build(cls, given: Iterable[Mapping[str, Any]]) -> Judgements:
        """Make columns from records with some of the fields above, or from a data frame with such
        columns; None is the same as leaving a field out.
        """
        records = columns.records("judgements", given)
        if not records:
            raise DataError("there are no judgements")
        known = {field.name for field in fields(cls)}
        for number, record in enumerate(records, 1):
            if unknown := record.keys() - known:
                raise SpecError(
                    f"judgement {number} has {', '.join(sorted(unknown))}; "
                    f"known are {', '.join(sorted(known))}"
                )
        made: dict[str, Any] = {name: Labels.build(_names(records, name)) for name in NAMES}
        made |= {name: _numbers(records, name) for name in NUMBERS}
        drawn = made["propensity"]
        for i in np.flatnonzero((drawn <= 0) | (drawn > 1))[:1]:
            raise DataError(f"judgement {i + 1}: propensity is {drawn[i]:g}, expected 0 < p <= 1")
        _check_places(made["start"], made["end"])
        return cls(**made)

    def __len__(self) -> int:
        return len(self.value)

    def take(self, rows: Rows) -> Judgements:
        """Return the given rows (indices, or a mask)."""
        taken: dict[str, Any] = {name: getattr(self, name).take(rows) for name in NAMES}
        return Judgements(**taken | {name: getattr(self, name)[rows] for name in NUMBERS})

    def where(self, **names: str | None) -> Judgements:
        """Return the rows with these names: `where(criterion="fluency", annotator="ann")`."""
        keep = np.ones(len(self), bool)
        for field, name in names.items():
            labels: Labels = getattr(self, field)
            if name is not None and name not in labels.names:
                known = ", ".join(labels.names) or "none"
                raise SpecError(f"no {field} {name!r} among the judgements; there is: {known}")
            keep &= labels.codes == (NONE if name is None else labels.names.index(name))
        return self.take(keep)

    def with_values(self, value: Floats) -> Judgements:
        """Return the same rows with other values, such as normalised ones."""
        return replace(self, value=value)

    @classmethod
    def join(cls, parts: Sequence[Judgements]) -> Judgements:
        """Return all rows of all parts, in order."""
        joined: dict[str, Any] = {}
        for field in (f.name for f in fields(cls)):
            values = [getattr(part, field) for part in parts]
            if field in NAMES:
                joined[field] = Labels.build(name for labels in values for name in labels)
            else:
                joined[field] = np.concatenate(values)
        return cls(**joined)

    def ratings(self) -> Judgements:
        """Return the rows that have a value and are no comparisons."""
        return self.take(~np.isnan(self.value) & (self.against.codes == NONE))

    def comparisons(self) -> Judgements:
        """Return the rows that compare two systems."""
        return self.take(self.against.codes != NONE)

    def records(self) -> list[dict[str, Any]]:
        """Return records without empty fields, as a file of judgements holds them."""
        return [
            {name: value for name, value in row.items() if value is not None and value == value}
            for row in (
                {f.name: _plain(getattr(self, f.name)[i]) for f in fields(self)}
                for i in range(len(self))
            )
        ]


def _check_places(start: Floats, end: Floats) -> None:
    """Refuse marks that have only one end, are empty, or stand between characters."""
    apart = np.isnan(start) != np.isnan(end)
    odd = (start < 0) | (end <= start) | (start % 1 > 0) | (end % 1 > 0)
    for i in np.flatnonzero(apart | odd)[:1]:
        raise DataError(
            f"judgement {i + 1}: marks the characters {start[i]:g} to {end[i]:g}; expected whole "
            "numbers with 0 <= start < end"
        )


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, np.floating) else value


def _names(records: Sequence[Mapping[str, Any]], field: str) -> Iterator[str | None]:
    for i, record in enumerate(records, 1):
        name = record.get(field)
        if isinstance(name, int) and not isinstance(name, bool):
            name = str(name)  # as readers of files do
        if name is not None and not isinstance(name, str):
            raise DataError(f"judgement {i}: {field} is {name!r:.40}, expected a name")
        yield name


def _numbers(records: Sequence[Mapping[str, Any]], field: str) -> Floats:
    values = np.full(len(records), np.nan)
    for i, record in enumerate(records):
        number = record.get(field)
        if number is not None:
            if (
                not isinstance(number, Real)
                or isinstance(number, bool)
                or not math.isfinite(number)
            ):
                raise DataError(f"judgement {i + 1}: {field} is {number!r}, expected a number")
            values[i] = number
    return values
