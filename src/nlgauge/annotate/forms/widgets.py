"""Widgets are the parts of a form; each reads its answer from what the browser sends.

A widget has a `name`, unique in its form, and a `kind`, the macro of `widgets.html` that draws it.
What is wrong with an answer is said in words that the annotator reads.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

LONGEST_TEXT = 20_000  # characters that an annotator may write into a field
Form = Mapping[str, Sequence[str]]


class AnswerError(Exception):
    """An answer that is missing or wrong; the message is shown beside the widget."""


@dataclass(frozen=True)
class Option:
    """An option of a choice has a value that is sent and a label that is read."""

    value: str
    label: str
    note: str = ""
    text: str | None = None  # an output of a system, shown as such


@dataclass(frozen=True, kw_only=True)
class Widget(ABC):
    """A widget asks for one thing; `legend` is the question, `hint` explains it."""

    kind: ClassVar[str]
    name: str
    legend: str
    hint: str = ""

    @abstractmethod
    def read(self, form: Form) -> Any:
        """Return the answer, or raise `AnswerError` with what is wrong."""

    def one(self, form: Form, name: str | None = None) -> str:
        """Return what was sent under the widget's name, or a part of it; empty if nothing was."""
        sent = form.get(name or self.name, ())
        return sent[0] if sent else ""


@dataclass(frozen=True, kw_only=True)
class RadioChoice(Widget):
    """A choice is one of several options, as radio buttons; `scale` sets them in a row."""

    kind: ClassVar[str] = "choice"
    options: tuple[Option, ...]
    scale: bool = False

    def read(self, form: Form) -> str:
        """Return the value of the option that was chosen."""
        value = self.one(form)
        if not value:
            raise AnswerError("Please choose one.")
        if value not in {option.value for option in self.options}:
            raise AnswerError("That is none of the options; please choose again.")
        return value


@dataclass(frozen=True, kw_only=True)
class Amount(Widget):
    """An amount is a number between two ends; with `slider`, it is set on a line."""

    kind: ClassVar[str] = "amount"
    low: float
    high: float
    step: float | None = 1
    slider: bool = False
    ends: tuple[str, str] = ("", "")
    above_low: bool = False  # the lower end itself is not allowed

    def read(self, form: Form) -> float:
        """Return the number that was given."""
        text = self.one(form).strip().replace(",", ".")
        if not text:
            raise AnswerError("Please set a value." if self.slider else "Please give a number.")
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        inside = math.isfinite(number) and self.low <= number <= self.high
        excluded = self.above_low and number == self.low
        if not inside or excluded or not self._on_a_step(number):
            raise AnswerError(f"Please give {self.described}.")
        return number

    def _on_a_step(self, number: float) -> bool:
        steps = 0.0 if self.step is None else (number - self.low) / self.step
        return abs(steps - round(steps)) < 1e-6

    @property
    def described(self) -> str:
        """Return in words which numbers are allowed."""
        if math.isinf(self.high):
            return f"a number {'above' if self.above_low else 'from'} {self.low:g}"
        whole = "a whole number" if self.step == 1 else "a number"
        steps = f" in steps of {self.step:g}" if self.step not in (None, 1) else ""
        return f"{whole} from {self.low:g} to {self.high:g}{steps}"


@dataclass(frozen=True, kw_only=True)
class Writing(Widget):
    """Writing is free text; `given` is what the field holds at first."""

    kind: ClassVar[str] = "writing"
    given: str = ""
    rows: int = 3
    required: bool = True
    most: int = LONGEST_TEXT
    measured: bool = False  # the browser counts how much was typed

    def read(self, form: Form) -> Any:
        """Return the text, or with `measured` the text and the number of keys that were pressed."""
        text = self.one(form).replace("\r\n", "\n").strip()
        if self.required and not text:
            raise AnswerError("Please write something.")
        if len(text) > self.most:
            raise AnswerError(f"Please write at most {self.most} characters; it is {len(text)}.")
        if not self.measured:
            return text
        keys = self.one(form, f"{self.name}.keys")
        pressed = int(keys) if keys.isascii() and keys.isdigit() and len(keys) < 8 else None
        return {"text": text, "keys": pressed}


@dataclass(frozen=True, kw_only=True)
class CheckList(Widget):
    """A check list has any number of ticked lines, from none to all."""

    kind: ClassVar[str] = "checks"
    options: tuple[Option, ...]

    def read(self, form: Form) -> list[str]:
        """Return the values of the lines that are ticked, in the order of the list."""
        sent = set(form.get(self.name, ()))
        if sent - {option.value for option in self.options}:
            raise AnswerError("That is none of the lines; please tick again.")
        return [option.value for option in self.options if option.value in sent]


@dataclass(frozen=True, kw_only=True)
class RankList(Widget):
    """A rank list gives every text a rank from 1, the best; equal ranks are ties."""

    kind: ClassVar[str] = "ranks"
    options: tuple[Option, ...]

    def read(self, form: Form) -> dict[str, int]:
        """Return the rank of each text; ranks are closed up, so that 1, 3, 3 becomes 1, 2, 2."""
        ranks = {}
        for option in self.options:
            text = self.one(form, f"{self.name}.{option.value}")
            if not text:
                raise AnswerError("Please give every text a rank.")
            if text not in map(str, range(1, len(self.options) + 1)):
                raise AnswerError(f"Ranks are numbers from 1 to {len(self.options)}.")
            ranks[option.value] = int(text)
        order = sorted(set(ranks.values()))
        return {value: order.index(rank) + 1 for value, rank in ranks.items()}


@dataclass(frozen=True, kw_only=True)
class Extremes(Widget):
    """Extremes are the best and the worst of some texts."""

    kind: ClassVar[str] = "extremes"
    options: tuple[Option, ...]
    labels: tuple[str, str] = ("best", "worst")

    def read(self, form: Form) -> dict[str, str]:
        """Return the values of the best and of the worst text."""
        best, worst = (self.one(form, f"{self.name}.{end}") for end in ("best", "worst"))
        if not best or not worst:
            raise AnswerError(f"Please mark the {self.labels[0]} and the {self.labels[1]}.")
        known = {option.value for option in self.options}
        if best not in known or worst not in known:
            raise AnswerError("That is none of the texts; please mark again.")
        if best == worst:
            raise AnswerError(
                f"One text cannot be both the {self.labels[0]} and the {self.labels[1]}."
            )
        return {"best": best, "worst": worst}


@dataclass(frozen=True)
class FormAnswers:
    """The answers of a form are read with what is wrong, by the names of the widgets."""

    answers: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)


def read_form(widgets: Sequence[Widget], form: Form) -> FormAnswers:
    """Read all widgets of a form."""
    found = FormAnswers()
    for widget in widgets:
        _read_into(found, widget, form)
    return found


def _read_into(found: FormAnswers, widget: Widget, form: Form) -> None:
    try:
        found.answers[widget.name] = widget.read(form)
    except AnswerError as error:
        found.errors[widget.name] = str(error)
