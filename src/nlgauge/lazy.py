"""Let packages export names without importing anything before a name is first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any


def exports(
    package: str, homes: Mapping[str, Sequence[str]], packages: Sequence[str] = ()
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__all__`, `__getattr__` and `__dir__` of a package that exports the names of `homes`,
    a mapping from modules to the names each of them defines. `packages` within it are imported
    when they are first used, too: `nlgauge.io.read_suite` needs no `import nlgauge.io`.
    """
    named, listed = exports_when_asked(package, lambda: homes)

    def found(name: str) -> Any:
        return import_module(f"{package}.{name}") if name in packages else named(name)

    return listed(), found, lambda: sorted([*listed(), *packages])


def exports_when_asked(
    package: str, homes: Callable[[], Mapping[str, Sequence[str]]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__`, which knows `__all__`, and `__dir__` of a package for which even the
    list of what it exports is not loaded before it is needed.
    """

    @cache
    def home() -> dict[str, str]:
        return {name: module for module, names in homes().items() for name in names}

    def listed() -> list[str]:
        return sorted(home())

    def found(name: str) -> Any:
        if name == "__all__":
            return listed()
        if name not in home():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(home()[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return found, listed
