"""Marks are passages of texts that annotators select.

Browsers count UTF-16 code units, Python counts code points: offsets are turned from one into the
other here and nowhere else, and an offset inside of a character is refused.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.annotate.forms.widgets import LONGEST_TEXT, AnswerError, Form, Option, Widget

MOST_MARKS = 500


def code_point_offset(text: str, units: int) -> int:
    """Return the offset in code points of an offset in UTF-16 code units."""
    if units < 0:
        raise ValueError("offsets start at 0")
    seen = offset = 0
    while seen < units and offset < len(text):
        seen += 2 if ord(text[offset]) > 0xFFFF else 1
        offset += 1
    if seen != units:
        raise ValueError("the offset is inside of a character or behind the text")
    return offset


@dataclass(frozen=True, kw_only=True)
class Marks(Widget):
    """Marks are passages of one or several texts, each with a label and maybe a severity.

    Without `labels`, annotators write the label of a mark themselves; with an empty `label_name`,
    marks have none.
    """

    kind: ClassVar[str] = "marks"
    texts: tuple[Option, ...]  # value: key of the text; label: its heading; text
    labels: tuple[Option, ...] = ()
    severities: tuple[Option, ...] = ()
    label_name: str = "label"
    required: bool = False

    def read(self, form: Form) -> list[dict[str, Any]]:
        """Return the marks, ordered by text and place, with offsets in code points."""
        try:
            sent = json.loads(self.one(form) or "[]")
        except ValueError:
            sent = None
        if not isinstance(sent, list) or len(sent) > MOST_MARKS:
            raise AnswerError("The marks could not be read; please mark again.")
        found = [self._mark(mark) for mark in sent]
        if self.required and not found:
            raise AnswerError("Please mark at least one passage.")
        order = {option.value: place for place, option in enumerate(self.texts)}
        return sorted(found, key=lambda mark: (order[mark["text"]], mark["start"], mark["end"]))

    def _mark(self, sent: Any) -> dict[str, Any]:
        texts = {option.value: option.text or "" for option in self.texts}
        try:
            key = sent["text"]
            text = texts[key]
            start = code_point_offset(text, sent["start"])
            end = code_point_offset(text, sent["end"])
        except (KeyError, TypeError, ValueError):
            raise AnswerError("A mark is not in the text; please mark again.") from None
        if start >= end:
            raise AnswerError("A mark is empty; please remove it.")
        mark = {"text": key, "start": start, "end": end, "quote": text[start:end]}
        if self.label_name:
            mark["label"] = self._chosen(sent.get("label"), self.labels, self.label_name)
        if self.severities:
            mark["severity"] = self._chosen(sent.get("severity"), self.severities, "severity")
        return mark

    def _chosen(self, given: Any, options: tuple[Option, ...], what: str) -> str:
        if not isinstance(given, str) or not given.strip() or len(given) > LONGEST_TEXT:
            raise AnswerError(f"Please give every mark a {what}.")
        if options and given not in {option.value for option in options}:
            raise AnswerError(f"A mark has an unknown {what}; please choose again.")
        return given.strip()
