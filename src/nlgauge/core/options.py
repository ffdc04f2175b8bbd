"""Options of metrics: dataclass fields with a type, a range and a line of help.

One place turns their values into text and back, for specs (`bleu(smooth=floor)`), signatures and
the catalogue.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import types
import typing
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal, SupportsIndex, Union

from nlgauge.errors import SpecError

# Characters with a meaning in specs and signatures, and how texts carry them.
_ESCAPES = {c: f"%{ord(c):02X}" for c in "%|:,=()\n"}


LARGEST = 2**31 - 1  # of whole numbers that count words or steps: what the kernels can hold


def option(default: Any, help: str, *, low: float | None = None, high: float | None = None) -> Any:
    """Make a metric's field, with what the catalogue says of it and the values it may take.

    Every number has limits, which keep scores finite; in a list, each entry has. Numbers are
    finite, unless `high` is infinity.
    """
    return dataclasses.field(default=default, metadata={"help": help, "low": low, "high": high})


@cache
def types_of(cls: type) -> dict[str, Any]:
    """Return the option names of a metric class and their types."""
    hints = typing.get_type_hints(cls)
    return {f.name: hints[f.name] for f in dataclasses.fields(cls)}


class OptionsDocstring(str):
    """A docstring that ends with the list of the class's options, made when it is read."""

    cls: type

    def __get__(self, instance: object, cls: type) -> str:
        # While `dataclass` works on the class, its options are not yet known.
        if "__match_args__" not in vars(self.cls) or not (lines := list(listed(self.cls))):
            return str(self)
        return "\n".join([inspect.cleandoc(str(self)), "", "Options:", *lines])

    def expandtabs(self, tabsize: SupportsIndex = 8) -> str:
        """Return the whole docstring, too: `help` gets past `__get__`, and calls this first."""
        return self.__get__(None, self.cls).expandtabs(tabsize)


def document(cls: type) -> None:
    """Let the docstring of a metric class list its options, each with values, default and help."""
    if cls.__doc__:
        found = OptionsDocstring(cls.__doc__)
        found.cls = cls
        cls.__doc__ = found


def description(cls: type) -> str:
    """Return what the docstring of a metric class says before its list of options."""
    return inspect.cleandoc(str(vars(cls).get("__doc__") or ""))


def listed(cls: type) -> Iterator[str]:
    """Yield the lines that describe the options of a class: values, default and help."""
    import textwrap

    hints = types_of(cls)
    for f in dataclasses.fields(cls):
        hint, help, low, high = hints[f.name], *map(f.metadata.get, ("help", "low", "high"))
        ends = "" if low is None or high is None else f", {encode(low)} to {encode(high)}"
        yield f"    {f.name}={encode(f.default, hint)} ({describe(hint)}{ends})"
        if help:
            yield from textwrap.wrap(help, 92, initial_indent=" " * 8, subsequent_indent=" " * 8)


def check(instance: Any) -> None:
    """Refuse values that do not fit their field; called when a metric is made."""
    cls: type = type(instance)
    info = getattr(cls, "info", None)
    values = {f.name: getattr(instance, f.name) for f in dataclasses.fields(instance)}
    check_values(cls, values, getattr(info, "name", cls.__name__))


def check_values(cls: type, values: Mapping[str, Any], name: str) -> None:
    """Refuse values of options that do not fit their field; `name` is what messages call the
    metric.
    """
    hints = types_of(cls)
    for f in dataclasses.fields(cls):
        if f.name not in values:
            continue
        value, hint = values[f.name], hints[f.name]
        if not _fits(value, hint):
            raise SpecError(f"{name}({f.name}={value!r:.60}): expected {describe(hint)}")
        where = f"{name}({f.name}={encode(value, hint)})"
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, (int, float)):
                _check_number(number, f.metadata.get("low"), f.metadata.get("high"), where)


def _check_number(value: float, low: float | None, high: float | None, where: str) -> None:
    if math.isinf(value) and high != math.inf:
        raise SpecError(f"{where}: must be finite")
    if low is not None and value < low:
        raise SpecError(f"{where}: must be at least {encode(low)}")
    if high is not None and value > high:
        raise SpecError(f"{where}: must be at most {encode(high)}")


def _alternatives(hint: Any) -> tuple[Any, ...]:
    if typing.get_origin(hint) in (Union, types.UnionType):
        return typing.get_args(hint)
    return (hint,)


def _fits(value: Any, hint: Any) -> bool:
    for kind in _alternatives(hint):
        origin = typing.get_origin(kind)
        if origin is Literal:
            if any(value == v and type(value) is type(v) for v in typing.get_args(kind)):
                return True
        elif origin is tuple:
            inner = typing.get_args(kind)[0]
            if isinstance(value, tuple) and all(_fits(v, inner) for v in value):
                return True
        elif kind is float:
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if number and not math.isnan(value):
                return True
        elif kind is int:
            if isinstance(value, int) and not isinstance(value, bool):
                return True
        elif isinstance(value, kind):
            return True
    return False


def describe(hint: Any) -> str:
    """Return a type in words, as users read it."""
    words = []
    for kind in _alternatives(hint):
        origin = typing.get_origin(kind)
        if origin is Literal:
            words.append("one of " + ", ".join(map(str, typing.get_args(kind))))
        elif origin is tuple:
            words.append(f"a list of {describe(typing.get_args(kind)[0])}, like 0.5:0.5")
        else:
            names = {bool: "yes or no", int: "a whole number", float: "a number", str: "a text"}
            words.append("none" if kind is type(None) else names.get(kind, str(kind)))
    return " or ".join(words)


def _none_is_a_text(hint: Any) -> bool:
    return any(
        kind is str or (typing.get_origin(kind) is Literal and "none" in typing.get_args(kind))
        for kind in _alternatives(hint)
    )


def encoded(instance: Any, *, without: str) -> dict[str, str]:
    """Return the values of all options but one as they stand in a spec, by name."""
    kind: Any = type(instance)
    hints = types_of(kind)
    return {n: encode(getattr(instance, n), hint) for n, hint in hints.items() if n != without}


def encode(value: Any, hint: Any = None) -> str:
    """Return an option's value as text; None is "unset" for fields that may also hold the text
    "none".
    """
    if value is None:
        return "unset" if _none_is_a_text(hint) else "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ":".join(map(encode, value))
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return "".join(_ESCAPES.get(c, c) for c in str(value))


def decode(text: str, hint: Any, where: str) -> Any:
    """Return the value that `encode` wrote as `text`, for a field of type `hint`."""
    kinds = _alternatives(hint)
    if type(None) in kinds and text == encode(None, hint):
        return None
    for kind in kinds:
        origin = typing.get_origin(kind)
        if origin is Literal:
            for value in typing.get_args(kind):
                if encode(value) == text:
                    return value
        elif origin is tuple:
            inner = typing.get_args(kind)[0]
            return tuple(decode(part, inner, where) for part in text.split(":"))
        elif kind is bool:
            if text.lower() in ("yes", "true", "1", "no", "false", "0"):
                return text.lower() in ("yes", "true", "1")
        elif kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                continue
        elif kind is str:
            for character, escape in reversed(_ESCAPES.items()):
                text = text.replace(escape, character)
            return text
    closing = ")" if "(" in where else ""  # of a spec such as bleu(smooth=exp)
    raise SpecError(f"{where}={text}{closing}: expected {describe(hint)}")
