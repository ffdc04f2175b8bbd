"""Content units, such as nuggets, SCUs and factoids, as lists to tick and as scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nlgauge.annotate.forms.widgets import CheckList, Option
from nlgauge.core import registry
from nlgauge.core.metric import totals
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError


def check_units(record: Mapping[str, Any], name: str) -> None:
    """Refuse a list of units of which one has no id or text, or an id is there twice."""
    units = record[name]
    if not isinstance(units, list) or not all(isinstance(unit, Mapping) for unit in units):
        raise DataError(f"{name} is no list of objects with id and text")
    for unit in units:
        if not isinstance(unit.get("id"), str | int) or not isinstance(unit.get("text"), str):
            raise DataError(f"{name}: {dict(unit)!r:.60} has no id or no text")
    names = [str(unit["id"]) for unit in units]
    if twice := {each for each in names if names.count(each) > 1}:
        raise DataError(f"{name}: the id {sorted(twice)[0]!r} is there twice")


def units_of(record: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """Return the units of a record."""
    return list(record[name])


def unit_list(name: str, legend: str, units: Sequence[Mapping[str, Any]]) -> CheckList:
    """Return a list of units to tick."""
    options = tuple(Option(str(unit["id"]), unit["text"]) for unit in units)
    hint = "Tick all that are there, in whatever words; none, if none is."
    return CheckList(name=name, legend=legend, hint=hint, options=options)


def annotated_score(spec: str, text: str, annotation: Mapping[str, Any]) -> float:
    """Return the score of a metric that looks at annotations, for one output."""
    return corpus_value(spec, Corpus.build([text], annotations=[dict(annotation)]))


def corpus_value(spec: str, corpus: Corpus) -> float:
    """Return the value of a metric; doubts about the text are for the owner, and told later."""
    metric = registry.metric(spec)
    return float(metric.score(totals(metric.rows(corpus))))
