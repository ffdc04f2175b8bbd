"""Make a report: one HTML page with everything in it, that needs no network and no other file.

Texts can do nothing there: the page's data is JSON with `<` escaped, and its script, the only one
that may run, sets texts as text. A page holds no date: same command, same data, same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources

from nlgauge.io.write import atomic_write
from nlgauge.report.figures.canvas import DARK, LIGHT, Figure
from nlgauge.report.figures.svg import STYLE
from nlgauge.report.pages.browser import SegmentBrowser
from nlgauge.report.pages.page_parts import (
    contents,
    data,
    figure,
    folded,
    made_by,
    sentence,
    slug,
    table,
)
from nlgauge.report.tables import grid as grids_of
from nlgauge.report.tables.grid import Grid
from nlgauge.version import __version__

# The marks in texts, on white paper and on a dark screen.
_LIGHT = LIGHT | {
    "substitute": "#ffe8a1",
    "insert": "#ffc9c9",
    "delete": "#c5f0f6",
    "run": "#cfe8d5",
    "link": "#005a94",
}
_DARK = DARK | {
    "substitute": "#6b5310",
    "insert": "#7a2a2a",
    "delete": "#1d5560",
    "run": "#234f31",
    "link": "#7cc4f0",
}
THEME = "theme.js"  # runs before the page is drawn
SCRIPTS = ("report.js", "screen.js", "browser.js")


@dataclass(frozen=True, eq=False, kw_only=True)
class Section:
    """A section is a part of the page: what it says, then its tables, figures and segments."""

    title: str
    text: str = ""
    lines: Sequence[str] = ()  # further sentences, one below the other
    grids: Sequence[Grid] = ()
    figures: Sequence[Figure] = ()
    browser: SegmentBrowser | None = None
    signatures: Sequence[str] = ()  # folded away below the text


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


def _page(title: str, sections: Sequence[Section], command: str) -> Iterator[str]:
    theme, script = _asset(THEME), "".join(_asset(name) for name in SCRIPTS)
    # Nothing but these very scripts may run, and nothing may be fetched.
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        f"script-src {_digest(theme)} {_digest(script)}"
    )
    yield (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="generator" content="nlgauge {__version__}">'
        f"<title>{escape(title)}</title><style>{_style()}</style>"
        f"<script>{theme}</script></head>\n"
        f"<body><header><h1>{escape(title)}</h1>{made_by(command)}</header>\n"
    )
    anchors = _anchors(sections)
    yield f'<div class="layout">{contents(anchors, sections)}<main>\n'
    names = {id(item): name for name, item in file_names(sections)}
    tables: list[dict[str, str]] = []
    for i, (anchor, section) in enumerate(zip(anchors, sections, strict=True)):
        yield f'<section id="{anchor}"><h2>{escape(section.title)}</h2>\n'
        if section.text:
            yield f"<p>{sentence(section.text)}</p>\n"
        if section.lines:
            points = "".join(f"<li>{sentence(line)}</li>" for line in section.lines)
            yield f"<ul>{points}</ul>\n"
        yield folded(section.signatures)
        if section.grids:
            made = []
            for grid in section.grids:
                made.append(table(grid, len(tables), section.title))
                tables.append({"tsv": grids_of.to_tsv([grid]), "latex": grids_of.to_latex([grid])})
            yield f'<div class="tables">{"".join(made)}</div>\n'
        if section.figures:
            drawn = "".join(figure(shown, names[id(shown)]) for shown in section.figures)
            yield f'<div class="plots">{drawn}</div>\n'
        if section.browser is not None:
            yield section.browser.html(f"_segments{i}") + "\n"
            yield data(f"_segments{i}", section.browser.data())
        yield "</section>\n"
    yield "</main></div>\n"
    yield data("_tables", tables)
    yield data("_figure-style", STYLE)
    yield f"<script>{script}</script></body></html>\n"


def _anchors(sections: Sequence[Section]) -> list[str]:
    """Return what links to sections say: their titles, with a number where one comes again."""
    found: list[str] = []
    for section in sections:
        name = slug(section.title)
        again = sum(other == name or other.startswith(f"{name}-") for other in found)
        found.append(f"{name}-{again + 1}" if name in found else name)
    return found


def _digest(script: str) -> str:
    """Return what the page's policy calls a script by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def _asset(name: str) -> str:
    return (resources.files("nlgauge.report") / "assets" / name).read_text(encoding="utf-8")


def _style() -> str:
    light, dark = (
        "".join(f"--{role}:{colour};" for role, colour in roles.items())
        for roles in (_LIGHT, _DARK)
    )
    roles = "".join(
        f".f-{role}{{fill:var(--{role})}}.s-{role}{{stroke:var(--{role})}}"
        f".b-{role}{{background:var(--{role})}}"
        for role in LIGHT
    )
    # Only on screens: paper is white.
    return (
        f":root{{{light}color-scheme:light}}\n@media screen{{:root[data-theme=dark]{{{dark}"
        "color-scheme:dark}}\n@media screen and (prefers-color-scheme:dark)"
        f"{{:root:not([data-theme=light]){{{dark}color-scheme:dark}}}}\n{roles}\n"
        f"{_asset('report.css')}"
    )
