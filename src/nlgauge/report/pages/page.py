"""Make a report: one HTML page with everything in it, that needs no network and no other file.

Texts can do nothing there: the page's data is JSON with `<` escaped, and its script, the only one
that may run, sets texts as text. A page holds no date: same command, same data, same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import os
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import Any

from nlgauge.io.write import atomic_write
from nlgauge.report.figures.canvas import DARK, LIGHT, Figure
from nlgauge.report.figures.svg import STYLE, inline
from nlgauge.report.pages.browser import SegmentBrowser
from nlgauge.report.tables import grid as grids_of
from nlgauge.report.tables.grid import Cell, Estimate, Grid, Strong, bare, show
from nlgauge.version import __version__

# The marks in texts, on white paper and on a dark screen.
_LIGHT = LIGHT | {
    "substitute": "#ffe8a1",
    "insert": "#ffc9c9",
    "delete": "#c5f0f6",
    "run": "#cfe8d5",
}
_DARK = DARK | {"substitute": "#6b5310", "insert": "#7a2a2a", "delete": "#1d5560", "run": "#234f31"}
LONG = 60  # characters from which a cell is running text


@dataclass(frozen=True, eq=False, kw_only=True)
class Section:
    """A section is a part of the page: what it says, then its tables, figures and segments."""

    title: str
    text: str = ""
    grids: Sequence[Grid] = ()
    figures: Sequence[Figure] = ()
    browser: SegmentBrowser | None = None


def write_report(
    path: str | os.PathLike[str], title: str, sections: Sequence[Section], *, command: str = ""
) -> None:
    """Write the page to a file; `command` is what it was made by."""
    with atomic_write(path) as file:
        for part in _page(title, sections, command):
            # A name that the file system gave may hold half a surrogate pair.
            file.write(part.encode("utf-8", "replace").decode())


def to_html(title: str, sections: Sequence[Section], *, command: str = "") -> str:
    """Return the page of some sections as HTML."""
    return "".join(_page(title, sections, command))


def file_names(sections: Sequence[Section]) -> Iterator[tuple[str, Grid | Figure]]:
    """Yield every table and figure with a name for its file, unique and in order."""
    number = 0
    for section in sections:
        items: list[Grid | Figure] = [*section.grids, *section.figures]
        for item in items:
            number += 1
            yield f"{number:02d}-{slug(item.title or section.title)}", item


def slug(title: str) -> str:
    """Return a title as part of a file's name."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60] or "untitled"


def _page(title: str, sections: Sequence[Section], command: str) -> Iterator[str]:
    script = "".join(_asset(name) for name in ("report.js", "browser.js"))
    digest = "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    # Nothing but this very script may run, and nothing may be fetched.
    policy = f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src '{digest}'"
    yield (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="generator" content="nlgauge {__version__}">'
        f"<title>{escape(title)}</title><style>{_style()}</style></head>\n"
        f'<body><header><h1>{escape(title)}</h1><p class="muted">'
    )
    yield f"<code>{escape(command)}</code><br>" if command else ""
    yield f"nlgauge {__version__}</p></header>\n"
    if len(sections) > 1:
        links = (f'<a href="#s{i}">{escape(s.title)}</a>' for i, s in enumerate(sections))
        yield f'<nav class="contents" aria-label="contents">{"".join(links)}</nav>\n'
    names = {id(item): name for name, item in file_names(sections)}
    tables: list[dict[str, str]] = []
    yield "<main>\n"
    for i, section in enumerate(sections):
        yield f'<section id="s{i}"><h2>{escape(section.title)}</h2>\n'
        if section.text:
            yield f"<p>{escape(section.text)}</p>\n"
        for grid in section.grids:
            yield _table(grid, len(tables), section.title)
            tables.append({"tsv": grids_of.to_tsv([grid]), "latex": grids_of.to_latex([grid])})
        if section.figures:
            drawn = "".join(_figure(figure, names[id(figure)]) for figure in section.figures)
            yield f'<div class="plots">{drawn}</div>\n'
        if section.browser is not None:
            yield section.browser.html(f"segments{i}") + "\n"
            yield _data(f"segments{i}", section.browser.data())
        yield "</section>\n"
    yield "</main>\n"
    yield _data("tables", tables)
    yield _data("figure-style", STYLE)
    yield f"<script>{script}</script></body></html>\n"


def _asset(name: str) -> str:
    return (resources.files("nlgauge.report") / "assets" / name).read_text(encoding="utf-8")


def _style() -> str:
    light, dark = (
        "".join(f"--{role}:{colour};" for role, colour in roles.items())
        for roles in (_LIGHT, _DARK)
    )
    roles = "".join(
        f".f-{role}{{fill:var(--{role})}}.s-{role}{{stroke:var(--{role})}}" for role in LIGHT
    )
    # Only on screens: paper is white.
    return (
        f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark)"
        f"{{:root{{{dark}color-scheme:dark}}}}\n{roles}\n{_asset('report.css')}"
    )


def _data(identifier: str, value: Any) -> str:
    """Return JSON for inside the page; `<` is escaped, so that no text can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    safe = text.replace("<", "\\u003c")
    return f'<script type="application/json" id="{identifier}">{safe}</script>\n'


def _figure(figure: Figure, name: str) -> str:
    # On a narrow screen it shrinks as far as its letters stay readable, then it scrolls.
    least = f'style="min-width:{0.72 * figure.size[0]:.0f}px" '
    svg = inline(figure).replace("<svg ", f"<svg {least}", 1)
    buttons = "".join(
        f'<button type="button" data-save="{kind}">{kind.upper()}</button>'
        for kind in ("svg", "png")
    )
    return (
        f'<figure data-name="{name}"><div class="scroll">{svg}</div>'
        f"<figcaption>{buttons}</figcaption></figure>"
    )


def _table(grid: Grid, number: int, heading: str) -> str:
    title = "" if grid.title == heading else escape(grid.title)
    heads = "".join(
        f'<th scope="col" aria-sort="none"{_class("" if grid.is_text(i) else "num")}>'
        f'<button type="button">{escape(field.name)}</button></th>'
        for i, field in enumerate(grid.fields)
    )
    rows = "\n".join(
        "<tr>"
        + "".join(
            _cell(cell, field.format, first=i == 0 and grid.is_text(0), text=grid.is_text(i))
            for i, (cell, field) in enumerate(zip(row, grid.fields, strict=True))
        )
        + "</tr>"
        for row in grid.rows
    )
    notes = "".join(f'<p class="note">{escape(str(note))}</p>' for note in grid.notes)
    return (
        f'<div class="table" data-table="{number}"><div class="bar"><h3>{title}</h3>'
        '<button type="button" data-copy="tsv">copy TSV</button>'
        '<button type="button" data-copy="latex">copy LaTeX</button></div>'
        f'<div class="scroll"><table><thead><tr>{heads}</tr></thead>\n<tbody>{rows}</tbody></table>'
        f"</div>{notes}</div>\n"
    )


def _class(*names: str) -> str:
    used = " ".join(filter(None, names))
    return f' class="{used}"' if used else ""


def _cell(cell: Cell, format: str, *, first: bool, text: bool) -> str:
    value = bare(cell)
    shown = escape(show(cell, format))
    number = value.value if isinstance(value, Estimate) else value
    data = ""
    if isinstance(value, Estimate):
        start, _, span = shown.partition(" ")
        shown = f'{start} <span class="ci">{span}</span>'
    if number is None or (isinstance(number, float) and math.isnan(number)):
        data = ' data-v=""'
    elif not isinstance(number, str):
        data = f' data-v="{float(number)!r}"'
    classes = _class(
        "" if text else "num",
        "strong" if isinstance(cell, Strong) else "",
        "long" if text and len(shown) > LONG else "",
    )
    return (
        f'<th scope="row"{classes}{data}>{shown}</th>'
        if first
        else f"<td{classes}{data}>{shown}</td>"
    )
