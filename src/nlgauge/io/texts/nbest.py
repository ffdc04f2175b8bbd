"""Read n-best lists, as Moses writes them or as JSON lines, the most probable candidate first.

    0 ||| the house is small ||| LM0= -12.1 TM0= -3.2 -4.5 ||| -5.6
    {"id": "0", "candidates": [{"text": "the house is small", "features": {"LM0": -12.1}}]}

A list of Moses is a block of lines with the same number; several values of one feature are told
apart by a number behind its name.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from nlgauge.errors import DataError
from nlgauge.io.files import read_line_bytes, shown
from nlgauge.io.request import Request
from nlgauge.io.texts.jsonl import rows

BAR = "|||"


@dataclass(frozen=True)
class NBestCandidate:
    """A candidate is one text of an n-best list, with the features that its system gave it."""

    text: str
    features: Mapping[str, float]


@dataclass(frozen=True)
class NBestList:
    """An n-best list has the candidates for one segment, the system's own choice first."""

    name: str
    candidates: tuple[NBestCandidate, ...]


def read_nbest(
    paths: Sequence[str], *, encoding: str = "utf-8", allow_single: bool = False
) -> list[NBestList]:
    """Read the lists of all files; a list of one is refused unless it is allowed."""
    found: dict[str, NBestList] = {}
    for path in paths:
        read = _records if path.removesuffix(".gz").endswith(".jsonl") else _blocks
        for place, each in read(path, encoding):
            if each.name in found:
                raise DataError(f"{place}: a second list with the id {each.name!r}; rename one")
            if len(each.candidates) < 2 and not allow_single:
                raise DataError(
                    f"{place}: list {each.name!r} has {len(each.candidates)} candidate, and there "
                    "is nothing to choose; leave it out, or allow such lists"
                )
            found[each.name] = each
    if not found:
        raise DataError(f"{', '.join(map(shown, paths))}: no n-best lists")
    return list(found.values())


def _blocks(path: str, encoding: str) -> Iterable[tuple[str, NBestList]]:
    name: str | None = None
    start = 0
    candidates: list[NBestCandidate] = []
    lines = io.BytesIO(read_line_bytes(path, encoding))
    for number, line in enumerate(lines, start=1):
        place = f"{shown(path)}, line {number}"
        cells = [cell.strip() for cell in line.decode("utf-8", "surrogatepass").split(BAR)]
        if len(cells) < 2:
            raise DataError(
                f"{place}: expected `number {BAR} text {BAR} features {BAR} score`, as in an "
                "n-best list of Moses"
            )
        if name is not None and cells[0] != name:
            yield f"{shown(path)}, line {start}", NBestList(name, tuple(candidates))
            candidates = []
        if cells[0] != name:
            name, start = cells[0], number
        features = _features(cells[2], place) if len(cells) > 2 else {}
        if len(cells) > 3 and cells[3]:
            features["score"] = _number(cells[3].split()[0], place)
        candidates.append(NBestCandidate(cells[1], features))
    if name is not None:
        yield f"{shown(path)}, line {start}", NBestList(name, tuple(candidates))


def _features(text: str, place: str) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    name = "feature"
    for part in text.split():
        if part[-1] in "=:":
            name = part[:-1]
        elif "=" in part:  # a sparse feature
            name, _, value = part.partition("=")
            found.setdefault(name, []).append(_number(value, place))
        else:
            found.setdefault(name, []).append(_number(part, place))
    return {
        name if len(values) == 1 else f"{name}.{k}": value
        for name, values in found.items()
        for k, value in enumerate(values, start=1)
    }


def _number(text: str, place: str) -> float:
    try:
        number = float(text)
        if not math.isfinite(number):
            raise ValueError
    except ValueError:
        raise DataError(f"{place}: {text!r} is no finite number") from None
    return number


def _records(path: str, encoding: str) -> Iterable[tuple[str, NBestList]]:
    request = Request("jsonl", (path,), encoding=encoding)
    for number, (place, record) in enumerate(rows(request)):
        given = record.get("candidates")
        if not isinstance(given, list) or not given:
            raise DataError(f"{place}: no candidates; give a list of objects with `text`")
        candidates = tuple(_candidate(each, str(place)) for each in given)
        yield str(place), NBestList(str(record.get("id", number)), candidates)


def _candidate(given: Any, place: str) -> NBestCandidate:
    if isinstance(given, str):
        return NBestCandidate(given, {})
    if not isinstance(given, Mapping) or not isinstance(given.get("text"), str):
        raise DataError(f"{place}: a candidate is a text, or an object with `text` and `features`")
    features = given.get("features", {})
    if not isinstance(features, Mapping) or not all(
        isinstance(v, int | float) and not isinstance(v, bool) for v in features.values()
    ):
        raise DataError(f"{place}: features must be an object of names and numbers")
    return NBestCandidate(given["text"], {name: float(v) for name, v in features.items()})


def write_nbest(file: TextIO, lists: Iterable[NBestList]) -> None:
    """Write lists as Moses does."""
    for each in lists:
        for candidate in each.candidates:
            features = " ".join(
                f"{name}= {value:.6g}" for name, value in candidate.features.items()
            )
            file.write(f"{each.name} {BAR} {candidate.text} {BAR} {features}\n")
