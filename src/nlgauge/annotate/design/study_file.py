"""Read the file of a study (TOML); what is wrong is said with the key and, where it is found, the
line.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from nlgauge.annotate.design.study import (
    CONTEXT,
    AssignmentSettings,
    GoldSettings,
    ScreeningSettings,
    Study,
)
from nlgauge.annotate.protocols.registry import protocol
from nlgauge.core import registry
from nlgauge.errors import DataError, NlgaugeError, ResourceMissing
from nlgauge.io.files import read_utf8

_TEXTS = ("title", "language", "text_language", "consent", "instructions", "contact")
_TABLES: dict[str, type[AssignmentSettings | GoldSettings | ScreeningSettings]] = {
    "assignment": AssignmentSettings,
    "gold": GoldSettings,
    "screening": ScreeningSettings,
}
_TOP = (*_TEXTS, "seed", "show", "metrics", "margin", "question", *_TABLES)


class _Place:
    """Where keys stand in a file, for messages."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.lines = path, text.splitlines()

    def error(self, message: str, key: str = "", table: str = "", nth: int = 0) -> DataError:
        """Return the error about a key; `nth` counts the tables of one name from 0."""
        line = self._line(key, table, nth)
        place = f"{self.path}, line {line}" if line else self.path
        return DataError(f"{place}: {message}")

    def _line(self, key: str, table: str, nth: int) -> int | None:
        current, seen, header = "", -1, None
        for number, line in enumerate(self.lines, 1):
            if found := re.match(r"\s*\[\[?\s*([\w.\-]+)\s*\]\]?", line):
                current = found[1]
                seen += current == table
                if current == table and seen == nth:
                    header = number
            elif (
                key
                and current == table
                and (not table or seen == nth)
                and re.match(rf'\s*"?{re.escape(key)}"?\s*=', line)
            ):
                return number
        return header


def read_study(path: str) -> Study:
    """Read and check the file of a study."""
    text = read_utf8(path).decode()
    return parse_study(text, path)


def parse_study(
    text: str, path: str = "study.toml", *, files: Mapping[str, str] | None = None
) -> Study:
    """Check the text of a study. Files that it names are beside `path`, or given by the keys that
    name them.
    """
    given = _parsed(text, path)
    place = _Place(path, text)
    for key in given:
        if key not in _TOP:
            raise place.error(f"{key!r} is not known; there are {', '.join(_TOP)}", key)
    values: dict[str, Any] = {}
    for key in _TEXTS:
        if key in given:
            if not isinstance(given[key], str):
                raise place.error(f"{key} is {given[key]!r:.40}, expected a text", key)
            values[key] = given[key]
    if not values.get("title", "").strip():
        raise place.error('no title; add title = "..." as the first line', "title")
    for key in ("consent", "instructions"):
        if files is not None:
            values[key] = files[key]
        elif values.get(key, "").endswith(".md"):
            values[key] = _beside(place, path, key, values[key])
    if "seed" in given:
        if type(given["seed"]) is not int or given["seed"] < 0:
            raise place.error(f"seed is {given['seed']!r:.40}, expected a whole number", "seed")
        values["seed"] = given["seed"]
    values["show"] = _shown(place, given.get("show", []))
    values["metrics"] = _metrics(place, given.get("metrics", []))
    if "margin" in given:
        margin = given["margin"]
        if not isinstance(margin, int | float) or isinstance(margin, bool) or not margin > 0:
            raise place.error(f"margin is {margin!r:.40}, expected a number above 0", "margin")
        values["margin"] = float(margin)
    values["questions"] = _questions(place, given.get("question", []))
    for name, cls in _TABLES.items():
        values[name] = _table(place, name, cls, given.get(name, {}))
    study = Study(**values)
    _check(place, study)
    return study


def _parsed(text: str, path: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        try:
            import tomli as tomllib
        except ImportError:
            raise ResourceMissing(
                "studies need tomli on Python 3.10", remedy="nlgauge fetch annotate"
            ) from None
    try:
        return dict(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{path}: is no TOML: {error}") from None


def _beside(place: _Place, path: str, key: str, name: str) -> str:
    folder = Path(path).resolve().parent
    file = (folder / name).resolve()
    if folder not in file.parents:
        raise place.error(f"{key} = {name!r} is not in the folder of the study; copy it there", key)
    try:
        return read_utf8(str(file)).decode()
    except DataError as error:
        raise place.error(f"{key}: {error}", key) from None


def _shown(place: _Place, given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or any(name not in CONTEXT for name in given):
        raise place.error(f"show is {given!r:.60}, expected some of {', '.join(CONTEXT)}", "show")
    return tuple(given)


def _metrics(place: _Place, given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise place.error(f"metrics is {given!r:.60}, expected names such as ['chrf']", "metrics")
    try:
        for name in given:
            registry.metric(name)
    except NlgaugeError as error:
        raise place.error(f"metrics: {error}", "metrics") from None
    return tuple(given)


def _questions(place: _Place, given: Any) -> tuple[Any, ...]:
    if not isinstance(given, list) or not given or not all(isinstance(q, dict) for q in given):
        raise place.error("no question; add [[question]] tables, each with a protocol", "question")
    found = []
    names: set[str] = set()
    for number, table in enumerate(given):
        name = table.get("protocol")
        if not isinstance(name, str):
            raise place.error("no protocol; name one", "protocol", "question", number)
        try:
            made = protocol(name, {key: v for key, v in table.items() if key != "protocol"})
        except NlgaugeError as error:
            key = next(
                (key for key in table if re.search(rf"\b{re.escape(key)}\b", str(error))), ""
            )
            raise place.error(f"question {number + 1}: {error}", key, "question", number) from None
        criterion = f"{getattr(made, 'criterion', made.info.name)}"
        if criterion in names:
            raise place.error(
                f"two questions are about {criterion!r}; give one another criterion",
                "criterion", "question", number,
            )  # fmt: skip
        names.add(criterion)
        found.append(made)
    return tuple(found)


def _table(
    place: _Place,
    name: str,
    cls: type[AssignmentSettings | GoldSettings | ScreeningSettings],
    given: Any,
) -> AssignmentSettings | GoldSettings | ScreeningSettings:
    if not isinstance(given, Mapping):
        raise place.error(f"{name} is no table; write [{name}] on a line of its own", name)
    known = [f.name for f in fields(cls)]
    for key in given:
        if key not in known:
            raise place.error(f"{name}.{key} is not known; there are {', '.join(known)}", key, name)
    try:
        return cls(**given)
    except NlgaugeError as error:
        key = next((key for key in given if f"({key}=" in str(error)), "")
        raise place.error(str(error), key, name) from None


def _check(place: _Place, study: Study) -> None:
    assignment, screening = study.assignment, study.screening
    if assignment.design == "blocks" and not assignment.slots:
        raise place.error(
            "design = 'blocks' needs slots, the number of annotators", "design", "assignment"
        )
    if screening.passed > screening.items:
        raise place.error(
            f"passed = {screening.passed} of {screening.items} items cannot be reached",
            "passed", "screening",
        )  # fmt: skip
    if (assignment.repeats or assignment.controls) and not study.pages[0].can_return:
        raise place.error(
            "repeats and controls do not go with a protocol that is done only once",
            "repeats", "assignment",
        )  # fmt: skip
    from nlgauge.meta.stress.perturbations import PERTURBATIONS

    if assignment.control_by not in PERTURBATIONS:
        raise place.error(
            f"no perturbation is called {assignment.control_by!r}; there are "
            f"{', '.join(PERTURBATIONS)}", "control_by", "assignment",
        )  # fmt: skip
