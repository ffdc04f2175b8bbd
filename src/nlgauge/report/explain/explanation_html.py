"""Show explanations as pictures, in one page that stands alone or in a file for each."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from nlgauge.errors import SpecError
from nlgauge.explain.explanation import Explanation
from nlgauge.explain.traces import Trace
from nlgauge.io.write import atomic_binary
from nlgauge.report.explain.explanation_tables import tables
from nlgauge.report.figures import svg
from nlgauge.report.figures.plots import rendered
from nlgauge.report.formats import FIGURE_FORMATS, FigureFormat
from nlgauge.report.pages import page
from nlgauge.report.pages.page import Section
from nlgauge.report.pages.page_parts import slug
from nlgauge.report.pictures import explained, picture
from nlgauge.report.tables.grid import Field, Grid, directed

TITLE = "Why a segment got its score"


def sections(explanations: Iterable[Explanation]) -> list[Section]:
    """Return all scores, then a section for each metric with its picture, and its numbers as
    tables.
    """
    explanations = list(explanations)
    made = [*_texts(explanations), *_overview(explanations)]
    several = len({explanation.of for explanation in explanations}) > 1
    for explanation in explanations:
        figure = explained(explanation)
        against = explanation.against.removeprefix(f"{explanation.of}, ")  # as the title says
        text = " · ".join(filter(None, [against, _way(explanation), explanation.trace.note]))
        signatures = [explanation.score.signature]
        # Whose output it is, the texts above say if there is only one.
        title = figure.title if several else figure.title.removesuffix(f": {explanation.of}")
        made.append(Section(title=title, text=text, signatures=signatures, figures=[figure]))
        if grids := tables(explanation.trace):
            made.append(Section(title=f"{explanation.called}: the numbers", grids=grids))
    return made


def _way(explanation: Explanation) -> str:
    if explanation.higher_is_better is None:
        return ""
    return f"{'higher' if explanation.higher_is_better else 'lower'} is better"


def _texts(explanations: Sequence[Explanation]) -> Iterator[Section]:
    """Show the texts as they were given, which the metrics split and fold in their own ways."""
    rows: dict[tuple[str, str], None] = {}
    for found in explanations:
        if found.hypothesis:
            rows[found.of or "hypothesis", found.hypothesis] = None
    for found in explanations:
        if found.compared:
            rows[found.against.rpartition("against ")[2], found.compared] = None
    if rows:
        fields = (Field("whose"), Field("text"))
        yield Section(title="Texts", grids=[Grid("Texts", fields, list(rows))])


def _overview(explanations: Sequence[Explanation]) -> Iterator[Section]:
    """Say first what each metric makes of each output, if there are several of either."""
    names = list(dict.fromkeys(explanation.name for explanation in explanations))
    outputs = list(dict.fromkeys(explanation.of for explanation in explanations))
    if len(explanations) < 2 or not all(outputs):  # nobody knows whose they are
        return
    scores = {(found.of, found.name): found.score.shown() for found in explanations}
    rows = [[of, *(scores.get((of, name)) for name in names)] for of in outputs]
    ways = {found.name: found.higher_is_better for found in explanations}
    heads = [n if (way := ways[n]) is None else directed(n, way) for n in names]
    fields = (Field("output"), *(Field(head, number=True) for head in heads))
    yield Section(title="Scores", grids=[Grid("Scores", fields, rows)])


def to_html(explanations: Iterable[Explanation], title: str = TITLE) -> str:
    """Return an HTML page with one picture for each metric."""
    return page.to_html(title, sections(explanations))


def to_svg(trace: Trace) -> str:
    """Return one explanation as an SVG picture that stands alone."""
    return svg.to_svg(picture(trace))


def picture_format(path: str | os.PathLike[str]) -> FigureFormat:
    """Return the format of a picture that the ending of its file tells."""
    for format in FIGURE_FORMATS:
        if Path(path).suffix.lower() == f".{format}":
            return format
    raise SpecError(f"{path}: pictures end in {', '.join(f'.{f}' for f in FIGURE_FORMATS)}")


def write_pictures(path: str | os.PathLike[str], explanations: Sequence[Explanation]) -> list[Path]:
    """Write pictures in the format that the file's ending tells.

    Several metrics each get a file, with the metric's name in its name.
    """
    target = Path(path)
    format = picture_format(path)
    written = []
    for number, explanation in enumerate(explanations, 1):
        if len(explanations) > 1:
            name = slug(explanation.called)
            file = target.with_name(f"{target.stem}-{number}-{name}{target.suffix}")
        else:
            file = target
        with atomic_binary(file) as stream:
            stream.write(rendered(explained(explanation), format))
        written.append(file)
    return written
