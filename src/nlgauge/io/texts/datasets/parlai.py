r"""Read episodes as ParlAI writes them; hypotheses are files of their own (`systems`).

    text:Hi! <tab> labels:Hello.|Hi there. <tab> episode_done:True
or, numbered upwards in each episode, with lines of a persona and of a story before:
    1 your persona: I like tea.
    2 Sam went to the kitchen.
    3 Where is Sam? <tab> In the kitchen.

A segment is one example: what was said before it in its episode are its turns, and its labels are
the references, of which the first goes on the dialogue. Numbered lines without a label are turns of
the example after them. `\n`, `\t` and `__PIPE__` in fields stand for a line's end, a tab and `|`;
`__SILENCE__`, with which the first to speak is asked to begin, is no turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.fields import RecordPlace
from nlgauge.io.files import read_utf8, shown
from nlgauge.io.request import Request
from nlgauge.io.texts.records import build_suite

Rows = Iterator[tuple[RecordPlace, dict[str, Any]]]
_PERSONA = re.compile(r"(?:your|partner's) persona: *(.*)")
_NUMBERED = re.compile(r"(\d+) (.*)", re.DOTALL)
_FIELD = re.compile(r"\w+:")
_ESCAPES = {"\\n": "\n", "\\t": "\t", "__PIPE__": "|"}
SILENCE = "__SILENCE__"
SPEAKERS = ("partner", "speaker")  # of texts, and of labels


@dataclass(frozen=True)
class _Line:
    """A line has a text, labels if they are given, and its number unless it has named fields."""

    text: str
    labels: list[str] | None
    number: int | None = None
    ends: bool = False  # its episode


def read(request: Request) -> Suite:
    """Read episodes (`paths`) as one, and hypotheses (`systems`) as text."""
    return build_suite(request, rows(request))


def rows(request: Request) -> Rows:
    """Yield one record for every example."""
    episodes = 0
    for path in request.data_files():
        state = _Episode()
        for number, line in enumerate(read_utf8(path, request.encoding).decode().split("\n"), 1):
            text = line.removesuffix("\r")
            own = _parsed(RecordPlace(shown(path), "line", number), text) if text.strip() else None
            if own is None or state.is_over(own):
                yield from state.left()
                state = _Episode()
            if own is not None:
                episodes += not state.lines
                state.place = RecordPlace(shown(path), "line", number)
                yield from state.add(own, episodes)
                state = _Episode() if own.ends else state
        yield from state.left()


class _Episode:
    """An episode goes on line by line; what is said waits for the example that it belongs to."""

    def __init__(self) -> None:
        self.episode, self.lines, self.last, self.examples = 0, 0, 0, 0
        self.waiting = False  # whether something was said since the last example
        self.place: RecordPlace | None = None
        self.persona: list[str] = []
        self.before: list[tuple[str, str]] = []

    def is_over(self, line: _Line) -> bool:
        """Return whether a line starts another episode: numbers go up within one."""
        return line.number is not None and self.lines > 0 and line.number <= self.last

    def add(self, line: _Line, episode: int) -> Rows:
        """Take up what is said, and yield the example that the line ends, if it does."""
        self.lines, self.last, self.episode = self.lines + 1, line.number or 0, episode
        persona = len(self.persona)
        for text in line.text.split("\n"):
            if found := _PERSONA.fullmatch(text.strip()):
                self.persona.append(found[1])
            elif text and text != SILENCE:
                self.before.append((SPEAKERS[0], text))
                self.waiting = True
        persona_only = len(self.persona) > persona and not self.waiting
        if line.labels is not None or (line.number is None and not persona_only):
            yield self._example(line.labels or [])

    def left(self) -> Rows:
        """Yield an example without labels if something was said after the last one."""
        if self.waiting:
            yield self._example([])

    def _example(self, labels: list[str]) -> tuple[RecordPlace, dict[str, Any]]:
        assert self.place is not None  # as a line was added
        self.examples += 1
        record = {
            "id": f"{self.episode}-{self.examples}",
            "turns": list(self.before),
            "references": labels,
            "persona": list(self.persona),
        }
        self.before += [(SPEAKERS[1], label) for label in labels[:1]]
        self.waiting = False
        return self.place, record


def _parsed(place: RecordPlace, line: str) -> _Line:
    """Return what stands in a line: named fields, or a number and a text."""
    parts = line.split("\t")
    if _FIELD.match(line) and any(part.startswith("text:") for part in parts):
        fields = dict(part.split(":", 1) for part in parts if ":" in part)
        given = fields.get("labels", fields.get("eval_labels"))
        labels = None if given is None else [_plain(text) for text in given.split("|") if text]
        ends = fields.get("episode_done", "").strip() == "True"
        return _Line(_plain(fields["text"]), labels, ends=ends)
    found = _NUMBERED.fullmatch(line)
    if found is None:
        raise DataError(
            f"{place}: {line[:60]!r} is no line of an episode; expected `text:...` with tabs "
            "between fields, or a number and a text"
        )
    text, *more = (part.replace("\\n", "\n") for part in found[2].split("\t"))
    listed = [label for label in more[0].split("|") if label] if more else []
    return _Line(text, listed or None, int(found[1]))


def _plain(text: str) -> str:
    for escape, stands_for in _ESCAPES.items():
        text = text.replace(escape, stands_for)
    return text
