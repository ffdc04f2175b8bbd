"""Tell functions apart by what they compute: their code, and what it looks at by name."""

from __future__ import annotations

import builtins
import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import CodeType, FunctionType
from typing import Any

PLAIN = (bool, int, float, complex, str, bytes, type(None), type(...))


def function_hash(function: Callable[..., Any]) -> str:
    """Return a hash of a function's code, of the functions and plain values that it names in its
    module, and of those that it closes over. It is the same in every process.
    """
    digest = hashlib.sha256()
    for part in _parts(function, set()):
        digest.update(part.encode())
    return digest.hexdigest()[:12]


def _parts(value: Any, seen: set[int]) -> Iterator[str]:
    if isinstance(value, PLAIN):
        yield repr(value)
    elif isinstance(value, tuple):
        yield "tuple"
        for entry in value:
            yield from _parts(entry, seen)
    elif isinstance(value, frozenset):  # whose order is another in every process
        yield "set"
        yield from sorted("".join(_parts(entry, seen)) for entry in value)
    elif isinstance(value, CodeType):
        yield value.co_code.hex()
        yield repr(value.co_names)
        for constant in value.co_consts:
            yield from _parts(constant, seen)
    elif isinstance(value, FunctionType) and id(value) not in seen:
        seen.add(id(value))
        yield from _parts(value.__code__, seen)
        for name in _names(value.__code__):
            if name in value.__globals__ and not hasattr(builtins, name):
                yield from _parts(value.__globals__[name], seen)
        for cell in value.__closure__ or ():
            with suppress(ValueError):  # it is empty until its name is bound
                yield from _parts(cell.cell_contents, seen)
    else:  # what has a state of its own: a list, a model, a module
        yield type(value).__qualname__


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names that code looks up, also in functions within it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
