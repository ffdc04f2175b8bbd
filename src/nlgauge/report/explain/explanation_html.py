"""Show explanations as pictures, in one page that stands alone or in a file for each."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from nlgauge.errors import SpecError
from nlgauge.explain.explanation import Explanation
from nlgauge.explain.traces import Trace
from nlgauge.io.write import atomic_binary
from nlgauge.report.answers.verdicts import best_said, section
from nlgauge.report.explain.explanation_tables import tables
from nlgauge.report.figures import svg
from nlgauge.report.figures.plots import rendered
from nlgauge.report.formats import FIGURE_FORMATS, FigureFormat
from nlgauge.report.pages.page import Section
from nlgauge.report.pages.page_parts import slug
from nlgauge.report.pictures import explained, picture
from nlgauge.report.tables.grid import Field, Grid, directed

_OF = ", segment "  # between whose output it is and what the segment is called


def sections(explanations: Iterable[Explanation]) -> list[Section]:
    """Return who is best, all scores, then a section for each metric with its picture, and its
    numbers as tables.
    """
    explanations = list(explanations)
    segment = _segment(explanations)
    made = [*_answer(explanations, segment), *_texts(explanations, segment)]
    made += _overview(explanations, segment)
    several = len({explanation.of for explanation in explanations}) > 1
    for explanation in explanations:
        figure, whose = explained(explanation), _whose(explanation, segment)
        against = explanation.against.removeprefix(f"{explanation.of}, ")  # as the title says
        text = " · ".join(filter(None, [against, _way(explanation), explanation.trace.note]))
        signatures = [explanation.score.signature]
        # Whose output it is, the texts above say if there is only one.
        named = f": {whose}" if several and whose else ""
        title = f"{explanation.name} {explanation.score.shown()}{named}"
        made.append(Section(title=title, text=text, signatures=signatures, figures=[figure]))
        if grids := tables(explanation.trace):
            title = f"{explanation.name}{named}: the numbers"
            made.append(Section(title=title, grids=grids))
    return made


def _segment(explanations: Sequence[Explanation]) -> str:
    """Return what the one segment that all outputs are of is called; nothing if they differ."""
    found = {explanation.of.rpartition(_OF)[2] for explanation in explanations}
    outputs = all(_OF in explanation.of for explanation in explanations)
    return f"segment {found.pop()}" if outputs and len(found) == 1 else ""


def _whose(explanation: Explanation, segment: str) -> str:
    """Return whose output it is, without the segment where the page is about one."""
    return explanation.of.removesuffix(f", {segment}") if segment else explanation.of


def _answer(explanations: Sequence[Explanation], segment: str) -> list[Section]:
    """Say whose output has the best score by which metric, if there are several of a segment."""
    scores: dict[str, dict[str, float]] = {}
    for found in explanations:
        if found.higher_is_better is not None:
            turned = found.score.score if found.higher_is_better else -found.score.score
            scores.setdefault(found.name, {})[_whose(found, segment)] = turned
    systems = list(dict.fromkeys(_whose(found, segment) for found in explanations))
    if not segment or not scores or len(systems) < 2:
        return []
    best = {
        name: tuple(system for system, score in own.items() if score == max(own.values()))
        for name, own in scores.items()
    }
    return section(
        [
            f"Of {segment}: {best_said(best, systems)}",
            "One segment says little about systems: `nlgauge compare` tests all of them.",
        ]
    )


def _way(explanation: Explanation) -> str:
    if explanation.higher_is_better is None:
        return ""
    return f"{'higher' if explanation.higher_is_better else 'lower'} is better"


def _texts(explanations: Sequence[Explanation], segment: str) -> Iterator[Section]:
    """Show the texts as they were given, which the metrics split and fold in their own ways."""
    rows: dict[tuple[str, str], None] = {}
    for found in explanations:
        if found.hypothesis:
            rows[_whose(found, segment) or "hypothesis", found.hypothesis] = None
    for found in explanations:
        if found.compared:
            rows[found.against.rpartition("against ")[2], found.compared] = None
    if rows:
        fields = (Field("whose"), Field("text"))
        title = f"Texts of {segment}" if segment else "Texts"
        yield Section(title=title, grids=[Grid(title, fields, list(rows))])


def _overview(explanations: Sequence[Explanation], segment: str) -> Iterator[Section]:
    """Say first what each metric makes of each output, if there are several of either."""
    names = list(dict.fromkeys(explanation.name for explanation in explanations))
    outputs = list(dict.fromkeys(_whose(found, segment) for found in explanations))
    if len(explanations) < 2 or not all(outputs):  # nobody knows whose they are
        return
    scores = {(_whose(found, segment), found.name): found.score.shown() for found in explanations}
    rows = [[of, *(scores.get((of, name)) for name in names)] for of in outputs]
    ways = {found.name: found.higher_is_better for found in explanations}
    heads = [n if (way := ways[n]) is None else directed(n, way) for n in names]
    fields = (Field("output"), *(Field(head, number=True) for head in heads))
    yield Section(title="Scores", grids=[Grid("Scores", fields, rows)])


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
