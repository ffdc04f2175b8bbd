"""Read score files of mt-metrics-eval: `[<pair>.]<name>.<level>.score`, with lines `system score`.

Levels: `seg` (for each system a block with one line per segment), `sys`, and `domain` (lines
`domain system score`, whose criterion is `name:domain`). A score None is missing. A folder of a
test set has them in human-scores/; scores of documents (`doc`) are left out there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from nlgauge.data.paths import is_folder
from nlgauge.errors import DataError
from nlgauge.io.files import read_utf8, shown

_NAME = re.compile(
    r"(?:(?P<pair>[a-z]{2,3}-[a-z]{2,3}(?:_[A-Za-z]+)?)\.)?(?P<name>.+)\.(?P<level>\w+)\.score"
)
_LEVELS = ("seg", "sys", "domain")


def read(paths: Sequence[str], encoding: str) -> Iterator[dict[str, Any]]:
    """Read score files; or a folder and, unless there is only one, a language pair."""
    files = _in_folder(Path(paths[0]), paths[1:]) if is_folder(paths[0]) else list(paths)
    for file in files:
        yield from _scores(file, encoding)


def _in_folder(folder: Path, named: Sequence[str]) -> list[str]:
    inner = folder / "human-scores"
    found: dict[str, list[str]] = {}
    for path in sorted((inner if inner.is_dir() else folder).glob("*.score")):
        match = _NAME.fullmatch(path.name)
        if match and match["level"] in _LEVELS:
            found.setdefault(match["pair"] or "", []).append(str(path))
    if not found:
        raise DataError(f"{folder}: there are no files human-scores/<pair>.<name>.seg.score")
    if not named and len(found) > 1:
        raise DataError(f"{folder}: name a language pair after the folder: {', '.join(found)}")
    if named and named[0] not in found:
        raise DataError(f"{folder}: no scores of {named[0]!r}; there are: {', '.join(found)}")
    return found[named[0]] if named else next(iter(found.values()))


def _scores(path: str, encoding: str) -> Iterator[dict[str, Any]]:
    match = _NAME.fullmatch(Path(path.removesuffix(".gz")).name)
    if match is None or match["level"] not in _LEVELS:
        raise DataError(
            f"{shown(path)}: score files are called <pair>.<name>.<level>.score, the level being "
            f"one of {', '.join(_LEVELS)}; rename it"
        )
    level = match["level"]
    width = 3 if level == "domain" else 2
    counts: dict[str, int] = {}
    for number, line in enumerate(read_utf8(path, encoding).decode("utf-8").splitlines(), 1):
        cells = line.split()
        if len(cells) != width:
            what = "domain, system and score" if width == 3 else "system and score"
            raise DataError(f"{shown(path)}, line {number}: {len(cells)} fields, expected {what}")
        system, score = cells[-2:]
        counts[system] = counts.get(system, 0) + 1
        if score == "None":
            continue
        yield {
            "item": str(counts[system]) if level == "seg" else None,
            "system": system,
            "criterion": match["name"] + (f":{cells[0]}" if width == 3 else ""),
            "value": _number(f"{shown(path)}, line {number}", score),
            "protocol": "mtme",
        }
    if len(set(counts.values())) > 1:
        few, many = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
        raise DataError(
            f"{shown(path)}: {counts[few]} scores of {few!r} but {counts[many]} of {many!r}; every "
            "system needs a line for every segment, None where there is no score"
        )


def _number(place: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise DataError(f"{place}: score {text!r:.40}, expected a number or None")
    return number
