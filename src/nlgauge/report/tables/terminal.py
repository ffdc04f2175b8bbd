"""Open the terminal for printing, so that no text can command it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import IO

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from nlgauge.report.tables.escapes import printable
from nlgauge.report.tables.plain_tables import WIDTH

LEAST_INDENT = 4  # blanks before a text that has no room beside its label


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the command line, which knows that the reader has gone."""
        raise BrokenPipeError

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Show control sequences in names and texts instead of sending them to the terminal."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            if control or text == "\n":
                yield segment
            else:
                lines = map(printable, text.split("\n"))
                yield Segment("\n".join(lines), style)


def console(file: IO[str] | None = None, *, stderr: bool = False) -> Console:
    """Return a console that honours NO_COLOR, breaks no lines of a file, and obeys no text."""
    made = _Console(
        file=file,
        stderr=stderr,
        highlight=False,
        soft_wrap=True,
        force_jupyter=False,  # Rich would show HTML in a notebook instead of writing to the file
        # FORCE_COLOR, which notebooks and CI set, is for what is printed, and not for files.
        force_terminal=None if file in (None, sys.stdout, sys.stderr) else file.isatty(),
    )
    if not made.is_terminal:
        made.width = WIDTH
    return made


def print_wrapped(
    out: Console, body: Text | str, label: Text | str = "", *, style: str = ""
) -> None:
    """Print a text behind its label, broken at blanks to the terminal's width.

    Further lines start where the text does; a label that takes more than half of the width stands
    alone.
    """
    head = label if isinstance(label, Text) else Text(label)
    text = body if isinstance(body, Text) else Text(body, style=style)
    hang = cell_len(head.plain)
    if 2 * hang > out.width:
        out.print(head)
        head, hang = Text(" " * LEAST_INDENT), LEAST_INDENT
    lines = text.wrap(out, out.width - hang, overflow="fold") or [Text()]
    for number, line in enumerate(lines):
        line.rstrip()
        start = head if number == 0 else Text(" " * hang)
        out.print(start.copy().append_text(line))
