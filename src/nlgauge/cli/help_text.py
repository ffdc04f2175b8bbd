"""Lay out the help of commands."""

from __future__ import annotations

import argparse
import os
from contextlib import suppress
from typing import Any


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """The help keeps the lines of descriptions, and breaks no name at a hyphen."""

    def __init__(self, prog: str, **layout: Any) -> None:
        # argparse makes one for each option that is added.
        super().__init__(prog, **{"width": _columns(), **layout})

    def _split_lines(self, text: str, width: int) -> list[str]:
        import textwrap

        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


def _columns() -> int:
    """Return the width of help, as `shutil.get_terminal_size` finds it without its many imports."""
    with suppress(ValueError):
        if (asked := int(os.environ.get("COLUMNS", "0"))) > 0:
            return asked - 2
    with suppress(OSError):
        if (found := os.get_terminal_size().columns) > 0:
            return found - 2
    return 78
