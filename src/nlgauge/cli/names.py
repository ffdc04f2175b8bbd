"""Name the values of options that stand in modules which take long to load."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import get_args


class LibraryNames:
    """The names that an option may have are read from the library when help lists them.

    As choices of an argument they let every word pass: the library, which gets it, says what is
    wrong with it.
    """

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name

    def __iter__(self) -> Iterator[str]:
        found = getattr(import_module(f"nlgauge.{self._module}"), self._name)
        return iter(get_args(found) or found)

    def __contains__(self, word: object) -> bool:
        return True


TEXT_FORMATS = LibraryNames("io.texts.suites", "FORMATS")
JUDGEMENT_FORMATS = LibraryNames("io.judgements.judgement_files", "FORMATS")
