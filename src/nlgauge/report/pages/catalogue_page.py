"""Show what nlgauge has and what can run here, as tables of a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nlgauge.core.metric import Metric
from nlgauge.report.pages.page import Section
from nlgauge.report.tables.grid import Cell, Field, Grid, directed


def catalogue_sections(classes: Iterable[type[Metric]]) -> list[Section]:
    """Return all metrics, one family after the other."""
    families: dict[str, list[list[Cell]]] = {}
    for cls in classes:
        info = cls.info
        low, high = (bound * info.scale for bound in info.bounds)
        families.setdefault(info.family, []).append(
            [
                directed(info.name, info.higher_is_better),
                info.title,
                f"{low:g} to {high:g}",
                " ".join(info.tasks),
                ", ".join(info.needs),
                info.paper,
            ]
        )
    fields = _fields("metric", "title", "range", "tasks", "needs", "paper")
    return [
        Section(title=family, grids=[Grid(family, fields, rows)])
        for family, rows in families.items()
    ]


def tokenizer_sections(descriptions: Mapping[str, str]) -> list[Section]:
    """Return a section that lists all tokenisers."""
    title = "Tokenisers"
    return [Section(title=title, grids=[_pairs(title, ("name", "description"), descriptions)])]


def metric_sections(found: Mapping[str, Any], lines: Mapping[str, str]) -> list[Section]:
    """Return one metric: what is told of it in `lines`, and its options."""
    options: list[list[Cell]] = [
        [name, *(str(entry[key]) for key in ("value", "values", "help"))]
        for name, entry in found["options"].items()
    ]
    told = {label: text for label, text in lines.items() if text}
    grids = [_pairs("Facts", ("fact", "what is known"), told)]
    grids += [Grid("Options", _fields("option", "value", "values", "meaning"), options)]
    return [Section(title=found["name"], text=found["title"], grids=grids)]


def doctor_sections(report: Mapping[str, Mapping[str, Any]]) -> list[Section]:
    """Return what is installed, and what is missing for what."""
    titles = {"machine": "Machine", "packages": "Packages"}
    here = [_pairs(title, ("part", "found"), report[part]) for part, title in titles.items()]
    sections = [Section(title="Installation", grids=here)]
    for part in ("metrics", "presets", "tokenizers", "formats"):
        rows: list[list[Cell]] = [[name, not run, run] for name, run in report[part].items()]
        grid = Grid(part.capitalize(), _fields("name", "can run", "run first"), rows)
        sections.append(Section(title=grid.title, grids=[grid]))
    return sections


def _pairs(title: str, heads: tuple[str, str], given: Mapping[str, Any]) -> Grid:
    return Grid(title, _fields(*heads), [[name, str(value)] for name, value in given.items()])


def _fields(*names: str) -> tuple[Field, ...]:
    return tuple(map(Field, names))
