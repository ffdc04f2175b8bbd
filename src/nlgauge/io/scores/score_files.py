"""Read segment scores that another tool gave, or an earlier run of `score --segments`.

    tsv, csv      columns system and id, and one column of numbers for each metric
    jsonl         {"system": "north", "id": 7, "comet": 0.81}, or what `score --segments` writes:
                  {"system": "north", "id": 7, "scores": {"bleu": {"score": 31.2}}}
    *.seg.score   mt-metrics-eval: system and score, segments in order; METRIC-REF.seg.score

Without an id, the records of a system are numbered from 1; without a system, they belong to the one
the file is named after. Texts beside the scores (source, hypothesis ...) are passed over.
"""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from nlgauge.core import registry
from nlgauge.core.given import GivenScores
from nlgauge.core.outputs import OutputScores
from nlgauge.core.table import Column
from nlgauge.data.labels import Labels
from nlgauge.errors import DataError, NlgaugeError, SpecError
from nlgauge.io.fields import RecordPlace, check_characters, role_of
from nlgauge.io.files import read_bytes, read_utf8, shown
from nlgauge.io.request import STDIN, Request
from nlgauge.io.texts.suites import RECORD_FORMATS, PathLike, guess_format, names_of, read_rows
from nlgauge.io.texts.systems import stem
from nlgauge.io.write import unquoted

SEGMENT_SCORES = ".seg.score"

Output = tuple[str, str]  # system and item
SegmentScore = tuple[RecordPlace, str, str, str, Any]  # place, system, item, metric and score


@dataclass
class _Found:
    """One metric's scores, where they stand, and the files that they come from."""

    values: dict[Output, float] = field(default_factory=dict)
    places: dict[Output, RecordPlace] = field(default_factory=dict)
    sources: dict[str, None] = field(default_factory=dict)


def read_scores(
    paths: PathLike | Sequence[PathLike], *, lower_is_better: Collection[str] = ()
) -> OutputScores:
    """Read one column for each metric of the files. Higher is better unless it is named here, or
    known to be otherwise from our metric of that name.
    """
    scores = ((_source(path), score) for path in names_of(paths) for score in _scores(path))
    files = ", ".join(map(shown, names_of(paths)))
    return collect_scores(scores, files, lower_is_better=lower_is_better)


def collect_scores(
    scores: Iterable[tuple[str, SegmentScore]], files: str, *, lower_is_better: Collection[str] = ()
) -> OutputScores:
    """Collect scores, each with its source, to one column for each metric; `files` is what
    messages call all of them.
    """
    found: dict[str, _Found] = {}
    outputs: dict[Output, None] = {}
    for source, (place, system, item, name, value) in scores:
        metric = found.setdefault(name, _Found())
        output = (system, item)
        if output in metric.places:
            raise DataError(
                f"{place}: {name} of system {system!r}, item {item!r} is given at "
                f"{metric.places[output]} already; keep one"
            )
        metric.values[output] = _number(place, name, value)
        metric.places[output] = place
        metric.sources[source] = None
        outputs[output] = None
    if not outputs:
        raise DataError(f"{files}: there are no scores")
    if unknown := set(lower_is_better) - found.keys():
        raise SpecError(
            f"lower_is_better={', '.join(sorted(unknown))}: no such scores; there is: "
            f"{', '.join(found)}"
        )
    columns = [_column(name, metric, name in lower_is_better) for name, metric in found.items()]
    return OutputScores(
        items=Labels.build(item for _, item in outputs),
        systems=Labels.build(system for system, _ in outputs),
        columns=tuple(columns),
        rows=tuple(_rows(name, metric, outputs) for name, metric in found.items()),
    )


def _source(path: str) -> str:
    """Return the file's name, which is no path, and enough of its hash to know it again."""
    if path == STDIN:
        return "stdin"
    return f"{Path(path).name}@{hashlib.sha256(read_bytes(path)).hexdigest()[:12]}"


def _column(name: str, found: _Found, lower: bool) -> Column:
    with suppress(NlgaugeError):  # not one of ours
        lower = lower or not registry.metric(name).info.higher_is_better
    metric = GivenScores(name=name, higher_is_better=not lower, source=",".join(found.sources))
    return Column(name, metric, metric.signature())


def _rows(name: str, found: _Found, outputs: Mapping[Output, None]) -> np.ndarray:
    for system, item in outputs:
        if (system, item) not in found.values:
            raise DataError(
                f"{', '.join(found.sources)}: no {name} for system {system!r}, item {item!r}, "
                "which has other scores; give every score for every output"
            )
    scores = np.array([found.values[output] for output in outputs])
    return np.stack([scores, np.ones_like(scores)], axis=1)


def _number(place: RecordPlace, name: str, value: Any) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isfinite(number):
        return number
    shown_value = "empty" if value in (None, "") else f"{value!r:.40}, which is no finite number"
    raise DataError(
        f"{place}: {name} is {shown_value}; give a number for every output, and leave out columns "
        "that hold no scores"
    )


def _scores(path: str) -> Iterator[SegmentScore]:
    if path.removesuffix(".gz").endswith(SEGMENT_SCORES):
        yield from _segment_scores(path)
        return
    format = guess_format([path])
    if format not in RECORD_FORMATS:
        raise SpecError(
            f"{shown(path)}: scores are read from files called .tsv, .csv, .jsonl, .parquet or "
            f"METRIC-REF{SEGMENT_SCORES}"
        )
    yield from row_scores(read_rows(Request(format, (path,))), stem(path))


def row_scores(
    rows: Iterable[tuple[RecordPlace, Mapping[str, Any]]], default: str
) -> Iterator[SegmentScore]:
    """Yield the scores that records hold; those without a system are of the `default`."""
    numbers: dict[str, int] = {}
    for place, fields in rows:
        system = _text(place, fields, "system") or default
        numbers[system] = numbers.get(system, 0) + 1
        item = _text(place, fields, "id") or str(numbers[system])
        named = {name: value for name, value in fields.items() if role_of(name) is None}
        nested = named.pop("scores", {})
        if not isinstance(nested, dict):
            raise DataError(f'{place}: scores is no object such as {{"comet": 0.81}}')
        for name, value in (named | nested).items():
            score = value.get("score") if isinstance(value, dict) else value
            yield place, system, item, name, score


def _text(place: RecordPlace, fields: Mapping[str, Any], kind: str) -> str | None:
    for name, value in fields.items():
        role = role_of(name)
        if role is None or role.kind != kind or value in (None, ""):
            continue
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise DataError(f"{place}: {name} is {value!r:.40}, expected text")
        check_characters(place, name, str(value))
        return (
            unquoted(str(value)) if place.file.removesuffix(".gz").endswith(".tsv") else str(value)
        )
    return None


def _segment_scores(path: str) -> Iterator[SegmentScore]:
    name = Path(path.removesuffix(".gz")).name.removesuffix(SEGMENT_SCORES)
    metric = name.rpartition("-")[0] or name
    numbers: dict[str, int] = {}
    for number, line in enumerate(io.BytesIO(read_utf8(path)), start=1):
        place = RecordPlace(shown(path), "line", number)
        cells = line.decode("utf-8").split()
        if len(cells) != 2:
            raise DataError(f"{place}: {len(cells)} fields, expected a system and its score")
        numbers[cells[0]] = numbers.get(cells[0], 0) + 1
        yield place, cells[0], str(numbers[cells[0]]), metric, cells[1]
