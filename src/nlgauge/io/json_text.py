"""Parse JSON strictly: no NaN, no field twice, and errors that say where."""

from __future__ import annotations

import json
import math
from typing import Any

from nlgauge.errors import DataError


class _NotJSONError(ValueError):
    """What Python's parser lets pass though it is no JSON."""


def parse_json(data: bytes | str, place: str, *, lines: bool = False) -> Any:
    """Return the value of JSON; errors name `place`, and the line if `data` has several `lines`."""
    try:
        return json.loads(
            data,
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_float=_number,
            parse_int=_whole,
        )
    except json.JSONDecodeError as error:
        line = f", line {error.lineno}" if lines else ""
        raise DataError(
            f"{place}{line}, column {error.colno}: not valid JSON ({error.msg}); "
            "check the quotes, brackets and commas there"
        ) from None
    except ValueError as error:  # also from numbers too long for Python
        raise DataError(f"{place}: not valid JSON: {error}") from None
    except RecursionError:
        raise DataError(f"{place}: nested too deeply; flatten the value") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _NotJSONError(f"field {twice!r} is given twice in one object; keep one")
    return made


def _number(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise _NotJSONError(f"{text:.40} is larger than any number; correct it")
    return number


def _whole(text: str) -> int:
    if len(text) > 300:  # larger than any float
        raise _NotJSONError(f"{text:.40}... is larger than any number; correct it")
    return int(text)


def _constant(name: str) -> Any:
    raise _NotJSONError(f"{name} is no JSON number; write null or leave it out")
