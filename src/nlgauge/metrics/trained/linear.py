"""Linear models of judgements: terms, coefficients, and the file that holds them.

    {"kind": "nlgauge linear model", "intercept": -0.4458, "divisor": 0.8689,
     "terms": [{"metric": "ssa", "part": null, "coefficient": 1.3147},
               {"metric": "ssa", "part": "substitutions", "coefficient": -0.1039}],
     "about": {...}}

A term is a metric's segment score on the scale it is printed on, or a number among its parts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from nlgauge.core.metric import Metric
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats

KIND = "nlgauge linear model"
# The problem counts of Bangalore et al. (2000); none of them in a perfect text.
SHORT = {"S": "substitutions", "I": "insertions", "D": "deletions", "M": "moves"}
PROBLEMS = frozenset({*SHORT.values(), "shifts", "edits", "errors", "num_edits"})


@dataclass(frozen=True)
class ModelTerm:
    """What is looked at, as a metric's spec or signature and one of its parts, and its weight."""

    metric: str
    part: str | None
    coefficient: float


@dataclass(frozen=True, kw_only=True)
class LinearModel:
    """(intercept + sum of coefficient · term) / divisor."""

    terms: tuple[ModelTerm, ...]
    intercept: float
    divisor: float = 1.0
    about: Mapping[str, Any] = field(default_factory=dict)  # where it comes from

    def predict(self, values: Floats) -> Floats:
        """Return what the model says of its terms' values: [..., terms] -> [...]."""
        weights = np.array([term.coefficient for term in self.terms])
        # Term by term: a matrix product may round single rows differently from many.
        total = np.full(values.shape[:-1], self.intercept)
        for j, weight in enumerate(weights.tolist()):
            total = total + weight * values[..., j]
        predicted: Floats = total / self.divisor
        return predicted

    def calibrated(self, perfect: Sequence[float]) -> LinearModel:
        """Return the model divided by what it says of a perfect text, whose terms have these
        values.
        """
        value = float(self.predict(np.asarray(perfect, np.float64))) * self.divisor
        if not value > 0:
            raise DataError(
                f"the model gives a perfect text {value:g}; only a model that puts it above 0, "
                "the mean of normalised ratings, can be divided by it"
            )
        return LinearModel(
            terms=self.terms, intercept=self.intercept, divisor=value, about=self.about
        )

    def to_json(self) -> str:
        """Return the contents of the model's file."""
        record = {"kind": KIND, **asdict(self)}
        return json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    @classmethod
    def from_record(cls, record: Any, place: str) -> LinearModel:
        """Rebuild the model that `to_json` wrote; errors name `place`."""
        if not isinstance(record, dict) or record.get("kind") != KIND:
            raise DataError(
                f"{place}: this is no linear model; make one with: nlgauge regress --save FILE"
            )
        terms = record.get("terms")
        numbers = [record.get("intercept"), record.get("divisor", 1.0)]
        if not isinstance(terms, list) or not terms or not all(isinstance(t, dict) for t in terms):
            raise DataError(f"{place}: terms must be a list of objects, at least one")
        for number, term in enumerate(terms, 1):
            if unknown := term.keys() - {"metric", "part", "coefficient"}:
                raise DataError(f"{place}: term {number} has {', '.join(sorted(unknown))}")
            if not isinstance(term.get("metric"), str) or not isinstance(
                term.get("part"), str | None
            ):
                raise DataError(f"{place}: term {number} needs the name of a metric, maybe a part")
            numbers.append(term.get("coefficient"))
        if not all(map(_is_number, numbers)):
            raise DataError(f"{place}: intercept, divisor and coefficients must be finite numbers")
        if numbers[1] == 0:
            raise DataError(f"{place}: divisor is 0")
        return cls(
            terms=tuple(
                ModelTerm(t["metric"], t.get("part"), float(t["coefficient"])) for t in terms
            ),
            intercept=float(numbers[0]),
            divisor=float(numbers[1]),
            about=record.get("about") or {},
        )


def _is_number(value: Any) -> bool:
    """Return whether a value is a number that a double can hold; 1e999 is read as infinity."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -sys.float_info.max <= value <= sys.float_info.max


def values_of(metric: Metric, part: str | None, rows: Floats) -> Floats:
    """Return a term's values, [n]: the score as printed, or a part; `precisions.2` is the second of
    a list.
    """
    return columns_of(metric, [part], rows)[:, 0]


def columns_of(metric: Metric, wanted: Sequence[str | None], rows: Floats) -> Floats:
    """Return the values of several terms of one metric, [n, terms]."""
    found = np.empty((len(rows), len(wanted)))
    for j, part in enumerate(wanted):
        if part is None:
            found[:, j] = metric.score(rows) * metric.info.scale
    named = [(j, part) for j, part in enumerate(wanted) if part is not None]
    if named:
        for i, row in enumerate(rows):
            parts = metric.parts(row)
            for j, part in named:
                found[i, j] = _part(metric, parts, part)
    return found


def _part(metric: Metric, parts: Mapping[str, Any], part: str) -> float:
    name, _, place = part.partition(".")
    value = parts.get(SHORT.get(name, name))
    if isinstance(value, list | tuple) and place.isdecimal() and 1 <= int(place) <= len(value):
        value = value[int(place) - 1]
    if isinstance(value, bool) or not isinstance(value, int | float):
        known = ", ".join(_names(parts)) or "none"
        raise SpecError(f"{metric.info.name} has no number called {part}; its parts are: {known}")
    return float(value)


def _names(parts: Mapping[str, Any]) -> list[str]:
    return [
        f"{name}.1–{len(value)}" if isinstance(value, list | tuple) else name
        for name, value in parts.items()
    ]


def perfect_value(metric: Metric, part: str | None) -> float | None:
    """Return what a perfect text gets, if the metric's definition says it."""
    if part is not None:
        return 0.0 if SHORT.get(part, part) in PROBLEMS else None
    bound = metric.bounds[1 if metric.info.higher_is_better else 0]
    return bound * metric.info.scale if np.isfinite(bound) else None
