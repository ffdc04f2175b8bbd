r"""Read episodes as ParlAI writes them; hypotheses are files of their own (`systems`).

    text:Hi! <tab> labels:Hello.|Hi there. <tab> episode_done:True
or, numbered from 1 in each episode, with lines of a persona before:
    1 your persona: I like tea.
    2 Hi! <tab> Hello.

A segment is one example: what was said before it in its episode are its turns, and its labels are
the references, of which the first goes on the dialogue. `\n` in a text stands for a line's end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.fields import RecordPlace
from nlgauge.io.files import read_utf8, shown
from nlgauge.io.request import Request
from nlgauge.io.texts.records import build_suite

_PERSONA = re.compile(r"(?:your|partner's) persona: *(.*)")
_NUMBERED = re.compile(r"(\d+) (.*)", re.DOTALL)
SPEAKERS = ("partner", "speaker")  # of texts, and of labels


def read(request: Request) -> Suite:
    """Read episodes (`paths`) as one, and hypotheses (`systems`) as text."""
    return build_suite(request, rows(request))


def rows(request: Request) -> Iterator[tuple[RecordPlace, dict[str, Any]]]:
    """Yield one record for every example."""
    episode = 0
    for path in request.data_files():
        state = _Episode()
        for number, line in enumerate(read_utf8(path, request.encoding).decode().split("\n"), 1):
            place = RecordPlace(shown(path), "line", number)
            text = line.removesuffix("\r")
            if not text.strip():
                state = _Episode()
                continue
            parts, starts, ends = _parts(place, text)
            state = _Episode() if starts else state
            episode += state.fresh
            labels = state.add(parts)
            if labels is not None:
                yield (
                    place,
                    {
                        "id": f"{episode}-{state.examples}",
                        "turns": list(state.before),
                        "references": labels,
                        "persona": list(state.persona),
                    },
                )
                state.go_on(labels)
            state = _Episode() if ends else state


class _Episode:
    def __init__(self) -> None:
        self.fresh, self.examples = True, 0
        self.persona: list[str] = []
        self.before: list[tuple[str, str]] = []

    def add(self, parts: tuple[str, list[str] | None]) -> list[str] | None:
        """Take up what is said, and return the labels; None of a line that is persona only."""
        self.fresh = False
        text, labels = parts
        for line in text.split("\n"):
            if found := _PERSONA.fullmatch(line.strip()):
                self.persona.append(found[1])
            elif line:
                self.before.append((SPEAKERS[0], line))
        if labels is None and _PERSONA.match(text):
            return None
        self.examples += 1
        return labels or []

    def go_on(self, labels: list[str]) -> None:
        self.before += [(SPEAKERS[1], label) for label in labels[:1]]


def _parts(place: RecordPlace, line: str) -> tuple[tuple[str, list[str] | None], bool, bool]:
    """Return text and labels of a line, and whether it starts and whether it ends an episode."""
    if line.startswith("text:"):
        fields = dict(part.split(":", 1) for part in line.split("\t") if ":" in part)
        given = fields.get("labels", fields.get("eval_labels"))
        text = fields["text"].replace("\\n", "\n")
        done = fields.get("episode_done", "").strip() == "True"
        return (text, None if given is None else _listed(given)), False, done
    found = _NUMBERED.fullmatch(line)
    if found is None:
        raise DataError(
            f"{place}: {line[:60]!r} is no line of an episode; expected `text:...` with tabs "
            "between fields, or a number and a text"
        )
    text, *more = found[2].split("\t")
    labels = _listed(more[0]) if more and more[0] else None
    return (text.replace("\\n", "\n"), labels), found[1] == "1", False


def _listed(labels: str) -> list[str]:
    return [label.replace("\\n", "\n") for label in labels.split("|") if label]
