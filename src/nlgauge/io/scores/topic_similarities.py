"""Read similarities from a JSON file, x[metric][text][reference] = one number per segment.

    {"systems": ["a", "b"], "references": ["r1", "r2", "r3"],
     "scores": {"rouge": {"a": {"r1": [0.4, 0.5], "r2": ...}, "r1": {"r2": ...}, ...}}}

A system in the place of a reference compares two systems, as JACK needs; null where a text is
missing. More is more alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nlgauge.data.topic_similarities import TopicSimilarities
from nlgauge.errors import DataError
from nlgauge.io.files import read_bytes, shown
from nlgauge.io.json_text import parse_json


def read_similarities(path: str) -> TopicSimilarities:
    """Read one file of similarities, which may be packed by gzip."""
    place = shown(path)
    found = parse_json(read_bytes(path), place)
    if not isinstance(found, Mapping):
        raise DataError(f"{place}: an object with systems, references and scores is expected")
    peers, models = (_names(found, field, place) for field in ("systems", "references"))
    texts = peers + models
    if len(set(texts)) < len(texts):
        raise DataError(f"{place}: systems and references need names of their own each")
    scores = _object(found.get("scores"), f"{place}: scores")
    columns: dict[tuple[int, int, int], list[Any]] = {}
    for k, (metric, of_texts) in enumerate(scores.items()):
        for a, row in _object(of_texts, f"{place}: {metric}").items():
            for b, values in _object(row, f"{place}: {metric}, {a}").items():
                where = f"{place}: {metric}, {a} to {b}"
                for name in (a, b):
                    if name not in texts:
                        raise DataError(f"{where}: {name!r} is no system or reference of the file")
                if not isinstance(values, list):
                    raise DataError(f"{where}: a list of numbers is expected, one per segment")
                columns[k, texts.index(a), texts.index(b)] = _numbers(values, where)
    sizes = {len(values) for values in columns.values()}
    if len(sizes) != 1 or sizes == {0}:
        raise DataError(f"{place}: lists of {sorted(sizes)} numbers; all need one per segment")
    size = sizes.pop()
    table = np.full((len(scores), size, len(texts), len(texts)), np.nan)
    for (k, i, j), values in columns.items():
        table[k, :, i, j] = values
    return TopicSimilarities(
        metrics=tuple(scores),
        peers=tuple(peers),
        models=tuple(models),
        topics=tuple(str(i + 1) for i in range(size)),
        values=table,
    )


def _numbers(values: list[Any], where: str) -> list[float]:
    for i, value in enumerate(values):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise DataError(f"{where}, segment {i + 1}: {value!r} is not a number")
    return [np.nan if value is None else value for value in values]


def _names(found: Mapping[str, Any], field: str, place: str) -> list[str]:
    names = found.get(field)
    if not isinstance(names, list) or not names or not all(isinstance(n, str) for n in names):
        raise DataError(f"{place}: {field!r} must be a list of names")
    return names


def _object(value: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not value:
        raise DataError(f"{place}: an object is expected, with a field for each name")
    return value
