"""Open the terminal for printing, so that no text can command it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from nlgauge.report.tables.escapes import printable


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
    # Rich would show HTML in a notebook instead of writing to the file.
    made = _Console(file=file, stderr=stderr, highlight=False, soft_wrap=True, force_jupyter=False)
    if not made.is_terminal:
        made.width = 1000
    return made
