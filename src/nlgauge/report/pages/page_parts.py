"""Make the parts of a page: contents, tables, figures and data, as HTML."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Sequence
from html import escape
from typing import Any, Protocol

from nlgauge.report.figures.canvas import Figure, series
from nlgauge.report.figures.svg import inline
from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid, Strong, bare, show
from nlgauge.version import __version__

LONG = 60  # characters from which a cell is running text
NAME = 12  # characters from which a system's name takes more than a column's least width
BROAD = 505  # pixels from which a figure has a row for itself
SMALLEST = 0.85  # of its size that a figure is drawn in; then it is scrolled


class Titled(Protocol):
    """A part of a page is linked to by its title."""

    @property
    def title(self) -> str:
        """Return what stands above the part."""


def slug(title: str) -> str:
    """Return a title as part of a file's name."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60] or "untitled"


def data(identifier: str, value: Any) -> str:
    """Return JSON for inside the page; `<` is escaped, so that no text can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    safe = text.replace("<", "\\u003c")
    return f'<script type="application/json" id="{identifier}">{safe}</script>\n'


def contents(anchors: Sequence[str], sections: Sequence[Titled]) -> str:
    """Return links to all sections, and the switch between light and dark."""
    links = "".join(
        f'<a href="#{anchor}">{escape(section.title)}</a>'
        for anchor, section in zip(anchors, sections, strict=True)
    )
    return (
        f'<nav class="contents" aria-label="contents"><div class="links">{links}</div>'
        '<button type="button" data-switch="" aria-label="light or dark">◐</button></nav>'
    )


def made_by(command: str) -> str:
    """Return a line with the version, and the command if somebody wants to see it."""
    version = f"nlgauge {__version__}"
    if not command:
        return f'<p class="muted">{version}</p>'
    return (
        f'<details class="muted"><summary>how this page was made</summary>{version}: '
        f"<code>{escape(command)}</code></details>"
    )


def sentence(text: str) -> str:
    """Return a text for the page, in which what is to be typed stands between backticks."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def figure(shown: Figure, name: str) -> str:
    """Return a figure with buttons to save it, and once more as a phone shows it."""
    narrow = shown.narrowed()
    wide_only = narrow is shown or narrow.size[0] > shown.size[0]
    pictures = _as("", shown) if wide_only else _as("wide", shown) + _as("slim", narrow)
    broad = _class("broad" if shown.size[0] > BROAD else "")
    buttons = "".join(
        f'<button type="button" data-save="{kind}">{kind.upper()}</button>'
        for kind in ("svg", "png")
    )
    return (
        f'<figure{broad} data-name="{name}">'
        f"{scrolled(pictures, shown.title, from_right=getattr(shown, 'from_right', False))}"
        f"<figcaption>{buttons}</figcaption></figure>"
    )


def _as(name: str, shown: Figure) -> str:
    """Return a figure of a class, which a narrow screen draws smaller, but still to be read."""
    least = f'style="min-width:{SMALLEST * shown.size[0]:.0f}px" '
    return inline(shown).replace("<svg ", f"<svg{_class(name)} {least}", 1)


def scrolled(inner: str, label: str, *, from_right: bool = False) -> str:
    """Return what may be wider than the screen, with room for the hint that it goes on; what is
    read from the right starts there.
    """
    side = " from-right" if from_right else ""
    return (
        f'<div class="hinted{side}"><div class="scroll" role="group" aria-label="{escape(label)}">'
        f"{inner}</div></div>"
    )


def folded(signatures: Sequence[str]) -> str:
    """Return signatures of metrics, shown when somebody asks for them."""
    if not signatures:
        return ""
    listed = "".join(f"<p><code>{escape(signature)}</code></p>" for signature in signatures)
    name = "signatures" if len(signatures) > 1 else "signature"
    return f'<details class="note"><summary>{name}</summary>{listed}</details>'


def table(grid: Grid, number: int, heading: str) -> str:
    """Return a table with buttons to copy and save it, and its notes."""
    title = "" if grid.title == heading else grid.title
    if heading.endswith("?"):  # it was asked just above
        title = title.removeprefix(f"{heading} ")
    titled = f"<h3>{escape(title)}</h3>" if title else ""
    heads = "".join(
        f'<th scope="col" aria-sort="none"{_class("" if grid.is_text(i) else "num")}>'
        f'<button type="button"{_named(field)}>{_head(field.name)}</button></th>'
        for i, field in enumerate(grid.fields)
    )
    rows = "\n".join(
        "<tr>"
        + "".join(
            _cell(cell, field, first=i == 0 and grid.is_text(0), text=grid.is_text(i))
            for i, (cell, field) in enumerate(zip(row, grid.fields, strict=True))
        )
        + "</tr>"
        for row in grid.rows
    )
    said = [note for note in grid.notes if isinstance(note, str)]
    signatures = [str(note) for note in grid.notes if not isinstance(note, str)]
    notes = "".join(f'<p class="note">{sentence(note)}</p>' for note in said)
    notes += folded(signatures)
    inner = f"<table><thead><tr>{heads}</tr></thead>\n<tbody>{rows}</tbody></table>"
    return (
        f'<div class="table" data-table="{number}" data-name="{slug(grid.title or heading)}">'
        f'<div class="bar">{titled}<span class="buttons">'
        '<button type="button" data-copy="tsv">copy TSV</button>'
        '<button type="button" data-copy="latex">copy LaTeX</button>'
        '<button type="button" data-csv="">CSV file</button></span></div>'
        f"{scrolled(inner, grid.title or heading)}{notes}</div>\n"
    )


def _named(field: Field) -> str:
    """Return what a button without a text is called."""
    return "" if field.name else ' aria-label="no name"'


def _head(name: str) -> str:
    """Return the heading of a column; a mark is not left alone on a line."""
    together = escape(name).replace(" \\ ", "\u00a0\\\u00a0")
    return re.sub(" ([↑↓])$", "\u00a0\\1", together)


def _class(*names: str) -> str:
    used = " ".join(filter(None, names))
    return f' class="{used}"' if used else ""


def _cell(cell: Cell, field: Field, *, first: bool, text: bool) -> str:
    value = bare(cell)
    shown = escape(show(cell, field.format))
    number = value.value if isinstance(value, Estimate) else value
    data = ""
    if isinstance(value, Estimate):
        start, _, span = shown.partition(" ")
        span, _, tested = span.partition("(")
        shown = f'{start} <span class="ci">{span}</span>'
        shown += f'<span class="ci tested">({tested}</span>' if tested else ""
    if number is None or (isinstance(number, float) and math.isnan(number)):
        data = ' data-v=""'
    elif not isinstance(number, str):
        data = f' data-v="{float(number)!r}"'
    way = ' dir="auto"' if text and len(shown) > LONG else ""
    name = value if isinstance(value, str) and value in field.coloured else ""
    if name:
        colour = series(field.coloured.index(name))
        shown = f'<i class="dot b-{colour}"></i><span class="named">{shown}</span>'
    classes = _class(
        "" if text else "num",
        "strong" if isinstance(cell, Strong) else "",
        "long" if way else "",
        "dotted" if name else "",
        "name" if len(name) > NAME else "",
    )
    return (
        f'<th scope="row"{classes}{data}{way}>{shown}</th>'
        if first
        else f"<td{classes}{data}{way}>{shown}</td>"
    )
