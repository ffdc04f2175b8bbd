"""Write figures and tables as files for papers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from nlgauge.errors import SpecError
from nlgauge.io.write import atomic_binary, atomic_write, check_folder
from nlgauge.report.figures.plots import rendered
from nlgauge.report.formats import FIGURE_FORMATS, FigureFormat
from nlgauge.report.pages.page import Section, file_names
from nlgauge.report.tables.grid import Grid, to_latex


def write_figures(
    folder: str | os.PathLike[str],
    sections: Sequence[Section],
    formats: FigureFormat | Sequence[FigureFormat] = ("svg",),
) -> list[Path]:
    """Write each figure in each format and each table as .tex, and return the files.

    The folder is made if it is not there.
    """
    formats = [formats] if isinstance(formats, str) else formats
    for format in formats:
        if format not in FIGURE_FORMATS:
            raise SpecError(f"{format}: no format of figures; use {', '.join(FIGURE_FORMATS)}")
    target = Path(folder)
    check_folder(target)
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for name, item in file_names(sections):
        if isinstance(item, Grid):
            written.append(target / f"{name}.tex")
            with atomic_write(written[-1]) as file:
                file.write(to_latex([item]))
            continue
        for format in formats:
            written.append(target / f"{name}.{format}")
            with atomic_binary(written[-1]) as stream:
                stream.write(rendered(item, format))
    return written
