"""Say what a reader is asked to read."""

from __future__ import annotations

from typing import NamedTuple

from nlgauge.errors import DataError, SpecError
from nlgauge.io.column_names import ColumnNames

SEPARATOR = "\t"  # of the turns on a line of a file of contexts

STDIN = "-"
_STANDARD_INPUT = (STDIN, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


class Request(NamedTuple):
    """What `read_suite` was asked for, checked and with stdin filled in."""

    format: str
    paths: tuple[str, ...]
    systems: tuple[str, ...] | None = None
    sources: str | None = None
    encoding: str = "utf-8"
    num_refs: int = 1
    id_fields: tuple[str, ...] = ()
    skip_unusable: bool = False
    contexts: str | None = None  # a file with the turns of a segment on each line
    turn_separator: str = SEPARATOR
    features: str | None = None  # an .npz file, by id
    columns: ColumnNames = ColumnNames()

    def check(self) -> None:
        """Refuse what no format can read."""
        given = [*self.paths, *(self.systems or ()), self.sources, self.contexts]
        if sum(path in _STANDARD_INPUT for path in given) > 1:
            raise DataError(
                "stdin can be read only once, but it is to be more than one of the references, "
                "systems, sources and contexts; name files for the others (systems that are not "
                "named are read from stdin)"
            )
        if not self.turn_separator:
            raise SpecError("turn_separator: empty; give what stands between the turns of a line")
        if self.systems == ():
            raise DataError("systems=[]: no hypothesis file is given; name at least one")
        try:
            "".encode(self.encoding)
        except (LookupError, ValueError):  # ValueError: a NUL in it, or "undefined"
            raise SpecError(
                f"encoding={self.encoding!r} is not known to Python; try utf-8, latin-1 or cp1252"
            ) from None

    def data_files(self) -> tuple[str, ...]:
        """Return the files of a format that cannot do without one."""
        if not self.paths:
            raise DataError(f"format {self.format}: no data file is given; name at least one")
        return self.paths
