"""Dialogues that metrics learn from: who said what, to whom, and what people said of it.

One record a dialogue, in any format of records: `turns` with speakers, and maybe `id`, `human`
(ratings of the dialogue), `worker` (dialogues of one are held out together) and `speakers`, which
gives the names in the turns the persons behind them, such as {"user": "w001", "bot": "north"}.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nlgauge.data.contexts import MACHINES, turns_of
from nlgauge.errors import DataError
from nlgauge.io.fields import RecordPlace, parse, role_of
from nlgauge.io.files import shown, warn
from nlgauge.io.request import Request
from nlgauge.io.texts.suites import RECORD_FORMATS, guess_format, read_rows

LONG = 6  # words of an utterance that two dialogues hardly share by chance


@dataclass(frozen=True)
class Dialogue:
    """A dialogue is what was said, in turn, and by whom."""

    id: str
    texts: tuple[str, ...]
    speakers: tuple[str | None, ...]  # as the turns name them
    persons: Mapping[str, str] = field(default_factory=dict)  # by speaker, over all dialogues
    group: str = ""  # is held out together
    ratings: Mapping[str, float] = field(default_factory=dict)
    file: str = ""  # that it was read from

    def is_human(self, turn: int) -> bool:
        """Return whether a person said it, to judge by the speaker's name."""
        return (self.speakers[turn] or "").lower() not in MACHINES


def read_dialogues(paths: Sequence[str], *, without: Sequence[str] = ()) -> list[Dialogue]:
    """Read dialogues; those that share a longer utterance with the files `without` are left out,
    and counted in a warning, as are those with fewer than two turns.
    """
    found, short = [], 0
    for number, (place, fields) in enumerate(_records(paths), 1):
        dialogue = _dialogue(place, fields, number)
        if len(dialogue.texts) < 2:
            short += 1
        else:
            found.append(dialogue)
    files = ", ".join(map(shown, paths))
    if short:
        warn(f"{files}: left out {short} dialogues of fewer than two turns")
    known = long_utterances(text for path in without for text in _texts(path))
    kept = [dialogue for dialogue in found if known.isdisjoint(long_utterances(dialogue.texts))]
    if len(kept) < len(found):
        warn(
            f"{files}: left out {len(found) - len(kept)} of {len(found)} dialogues that share an "
            f"utterance of {LONG} words or more with {', '.join(map(shown, without))}"
        )
    if not kept:
        raise DataError(f"{files}: there is no dialogue to learn from")
    return kept


def _dialogue(place: RecordPlace, fields: Mapping[str, Any], number: int) -> Dialogue:
    """Return the dialogue of a record, whose fields are checked."""
    kinds = {name: role.kind for name in fields if (role := role_of(name)) is not None}
    own = {name: fields[name] for name, kind in kinds.items() if kind in ("id", "turns", "human")}
    record = parse(place, own, {})
    if record.turns is None:
        raise DataError(f"{place}: no field `turns`; every record needs those of a dialogue")
    said = [(who, text) for who, text in record.turns if text]
    means = {
        name: float(np.mean(rated))
        for name, values in (record.human or {}).items()
        if (rated := [value for value in values if not math.isnan(value)])
    }
    persons = fields.get("speakers") or {}
    if not isinstance(persons, Mapping):
        raise DataError(
            f"{place}: field 'speakers' is {persons!r:.60}, expected who is behind each speaker of "
            'the turns, such as {"user": "w001", "bot": "north"}'
        )
    name = record.id or str(number)
    return Dialogue(
        name,
        tuple(text for _, text in said),
        tuple(who for who, _ in said),
        {who: str(person) for who, person in persons.items()},
        str(fields.get("worker") or name),
        means,
        place.file,
    )


def long_utterances(texts: Iterable[str]) -> set[str]:
    """Return longer utterances in lower case, without punctuation: what tells dialogues apart."""
    words = (re.findall(r"\w+", text.lower()) for text in texts)
    return {" ".join(own) for own in words if len(own) >= LONG}


def _records(paths: Sequence[str]) -> Iterable[tuple[Any, dict[str, Any]]]:
    names = tuple(paths)
    format = guess_format(names)
    if format not in RECORD_FORMATS:
        raise DataError(f"{', '.join(names)}: dialogues are read from {', '.join(RECORD_FORMATS)}")
    return read_rows(Request(format, names))


def _texts(path: str) -> Iterable[str]:
    """Yield all that is said in a file of dialogues or judged replies."""
    for place, fields in _records([path]):
        for name in ("turns", "context", "source"):
            if fields.get(name) is not None:
                for _, text in turns_of(f"{place}: {name}", fields[name]):
                    yield text
        for text in (fields.get("hypothesis"), *(fields.get("references") or ())):
            if text:
                yield text
