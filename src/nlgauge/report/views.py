"""Say how each kind of result is shown: its tables, its numbers as one table, and its page.

`nlgauge.core.results.Result` finds this module by name, as results stand below it.
"""

from __future__ import annotations

import html
import io
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import takewhile
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlgauge.errors import ResourceMissing, SpecError
from nlgauge.report.formats import FigureFormat
from nlgauge.report.tables import data_grids, grid, html_tables

if TYPE_CHECKING:
    from nlgauge.report.figures.canvas import Figure
    from nlgauge.report.pages.page import Section

Grids = Callable[[Any], Sequence[grid.Grid]]
MOST_ROWS = 6  # in a summary
NOTEBOOK_WIDTH = 100  # of printed text; a cell scrolls if it is narrower


@dataclass(frozen=True)
class View:
    """A view of one kind of result; functions of pages are loaded when they are called."""

    grids: Grids
    data: Callable[[Any], grid.Grid] | None = None  # None: the first of the tables
    sections: Callable[[Any], Sequence[Section]] | None = None
    paper: Grids | None = None  # the tables of a paper, if these are others


def to_text(result: Any, width: int | None = None) -> str:
    """Return what the command prints, as wide as the terminal unless a width is given."""
    from nlgauge.report.tables.terminal import console

    out = console(file=io.StringIO())
    out.width = width or shutil.get_terminal_size().columns
    if isinstance(result, list):
        from nlgauge.report.explain.explanation_text import print_explanations

        print_explanations(result, out)
    else:
        from nlgauge.report.tables.printing import print_grids

        print_grids(_view(result).grids(result), out)
    lines = out.file.getvalue().splitlines()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def summary(result: Any) -> str:
    """Return one line with the numbers that matter, for messages of failed assertions."""
    names, rows = grid.spread(_data(result))
    if not rows:
        return f"<{type(result).__name__}: empty>"
    shown = [_row_in_words(names, row) for row in rows[:MOST_ROWS]]
    more = [f"… {len(rows)} rows"] if len(rows) > MOST_ROWS else []
    return f"<{type(result).__name__}: {'; '.join([*shown, *more])}>"


def _row_in_words(names: Sequence[str], row: Sequence[Any]) -> str:
    """Return what a row is about, its first texts, and then all else that it has by name."""
    cells = [(n, v) for n, v in zip(names, row, strict=True) if n != "signature"]
    about = list(takewhile(lambda cell: isinstance(cell[1], str), cells))
    rest = [(n, v) for n, v in cells[len(about) :] if v not in (None, "")]
    named = [f"{n} {v:.5g}" if isinstance(v, float) else f"{n} {v}" for n, v in rest]
    return f"{' '.join(v for _, v in about if v)} {', '.join(named)}"


def to_html(result: Any) -> str:
    """Return the tables, with notes below each, as a notebook shows them; an explanation as it is
    printed, as its tables do not have what was matched.
    """
    if isinstance(result, list):
        return f"<pre>{html.escape(to_text(result, width=NOTEBOOK_WIDTH))}</pre>"
    return html_tables.to_html(_view(result).grids(result))


def to_dict(result: Any) -> dict[str, Any]:
    """Return plain values, as the command writes them as JSON."""
    if isinstance(result, list):
        return {"explanations": grid.plain(result)}
    found: dict[str, Any] = grid.plain(result.record())
    return found


def to_frame(result: Any, library: str) -> Any:
    """Return a data frame of pandas or polars."""
    try:
        frames = import_module(library)
    except ImportError:
        raise ResourceMissing(
            f"{library} is not installed", remedy=f"pip install {library}"
        ) from None
    names, rows = grid.spread(_data(result))
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    return frames.DataFrame(dict(zip(names, map(list, columns), strict=True)))


def to_latex(result: Any, caption: str = "", label: str = "") -> str:
    """Return the tables for LaTeX."""
    view = _view(result)
    return grid.to_latex((view.paper or view.grids)(result), caption=caption, label=label)


def to_markdown(result: Any) -> str:
    """Return the tables as Markdown."""
    return grid.to_markdown(_view(result).grids(result))


def write(result: Any, path: str | os.PathLike[str], title: str = "") -> None:
    """Write the page of a result."""
    from nlgauge.report.pages.page import write_report

    write_report(path, title or f"nlgauge: {_name(result)}", _sections(result))


def plot(result: Any) -> Figures:
    """Return the figures of a result."""
    return Figures([figure for section in _sections(result) for figure in section.figures])


class Figures(list["Figure"]):
    """These are figures that a notebook shows, and that can be saved as files."""

    def _repr_html_(self) -> str:
        from nlgauge.report.figures.svg import to_svg

        return "".join(f"<div>{to_svg(figure)}</div>" for figure in self)

    def __repr__(self) -> str:
        return f"<Figures: {', '.join(figure.title for figure in self)}>"

    def save(
        self,
        folder: str | os.PathLike[str],
        formats: FigureFormat | Sequence[FigureFormat] = ("svg",),
    ) -> list[Path]:
        """Write each figure in each format to a folder, and return the files."""
        from nlgauge.report.pages.folder import write_figures
        from nlgauge.report.pages.page import Section

        return write_figures(folder, [Section(title="figures", figures=self)], formats)


def _sections(result: Any) -> Sequence[Section]:
    view = _view(result)
    if view.sections is not None:
        return view.sections(result)
    from nlgauge.report.pages.page import Section

    return [Section(title=_name(result), grids=view.grids(result))]


def _data(result: Any) -> grid.Grid:
    view = _view(result)
    return view.grids(result)[0] if view.data is None else view.data(result)


def _name(result: Any) -> str:
    return type(result).__name__


def _called(place: str, *attributes: str) -> Callable[[Any], Any]:
    """Return a function of nlgauge.report that is called with a result and some of its parts."""
    module, _, name = place.partition(":")

    def call(result: Any) -> Any:
        function = getattr(import_module(f"nlgauge.report.{module}"), name)
        return function(result, *(attrgetter(attribute)(result) for attribute in attributes))

    return call


def _score_grids(table: Any, format: str = "text") -> list[grid.Grid]:
    from nlgauge.report.tables.score_tables import score_grid

    return [score_grid(table, format)]


def _segment_grids(result: Any) -> list[grid.Grid]:
    return [data_grids.segment_data(result.table)]


def _explanation_grids(explanations: Any) -> list[grid.Grid]:
    return [data_grids.explanation_data(explanations)]


VIEWS = {
    "ScoreTable": View(
        _score_grids,
        data_grids.score_data,
        _called("pages.score_page:score_sections", "suite"),
        partial(_score_grids, format="latex"),
    ),
    "SegmentScores": View(_segment_grids, lambda result: data_grids.segment_data(result.table)),
    "Comparison": View(
        _called("tables.comparison_tables:summary"),
        data_grids.comparison_data,
        _called("pages.comparison_page:comparison_sections", "table", "table.suite"),
        _called("tables.comparison_tables:paper_grids"),
    ),
    "MetaResult": View(
        _called("tables.meta.meta_summary:summary"),
        data_grids.meta_data,
        _called("pages.meta_page:meta_sections", "paired"),
    ),
    "Agreement": View(
        _called("tables.human.agreement_tables:grids"),
        data_grids.agreement_data,
        _called("pages.agreement_page:agreement_sections"),
    ),
    "SpanAgreement": View(
        _called("judges.span_tables:span_grids"), _called("judges.span_tables:span_grid")
    ),
    "Robustness": View(
        _called("tables.meta.robustness_tables:card"),
        data_grids.robustness_data,
        _called("pages.robustness_page:robustness_sections"),
    ),
    "Recommendation": View(
        _called("tables.meta.recommendation_tables:recommendation_grids"),
        _called("tables.meta.recommendation_tables:candidates_grid"),
        _called("pages.recommendation_page:recommendation_sections"),
    ),
    "Planes": View(
        _called("tables.meta.plane_tables:plane_grids"),
        sections=_called("pages.plane_page:plane_sections"),
    ),
    "Qarla": View(
        _called("tables.meta.qarla_tables:qarla_grids"),
        sections=_called("pages.qarla_page:qarla_sections"),
    ),
    "Orange": View(
        _called("tables.meta.qarla_tables:orange_grids"),
        sections=_called("pages.qarla_page:orange_sections"),
    ),
    "Explanations": View(
        _explanation_grids,
        data_grids.explanation_data,
        _called("explain.explanation_html:sections"),
    ),
}


def _view(result: Any) -> View:
    for cls in type(result).__mro__:
        if cls.__name__ in VIEWS:
            return VIEWS[cls.__name__]
    raise SpecError(f"{type(result).__name__} is no result of nlgauge")
