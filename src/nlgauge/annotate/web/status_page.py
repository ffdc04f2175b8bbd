"""Draw the status of a study for its owner, without a script and without styles of its own."""

from __future__ import annotations

from functools import cache

from markupsafe import Markup

from nlgauge.annotate.status import study_status
from nlgauge.annotate.status_tables import status_sections
from nlgauge.annotate.store.database import StudyDatabase
from nlgauge.annotate.web.rendering import environment
from nlgauge.report.figures.canvas import DARK, LIGHT, Figure
from nlgauge.report.figures.svg import inline
from nlgauge.report.pages.page_parts import sentence


def status_body(database: StudyDatabase) -> str:
    """Return the sections of the status as HTML."""
    sections = status_sections(study_status(database))
    template = environment().get_template("sections.html")
    return template.render(sections=sections, drawn=_drawn, said=_said)


def _drawn(figure: Figure) -> Markup:
    """Return a figure, and once more as a phone shows it; figures escape the names in them."""
    narrow = figure.narrowed()
    if narrow is figure:
        return Markup(inline(figure))
    return Markup(
        f'<div class="wide">{inline(figure)}</div><div class="slim">{inline(narrow)}</div>'
    )


def _said(text: str) -> Markup:
    return Markup(sentence(text))  # which escapes all but its own marks


@cache
def figure_styles() -> bytes:
    """Return the colours of figures as a style sheet, for light and dark screens."""
    light, dark = (
        "".join(f"--figure-{role}:{colour};" for role, colour in roles.items())
        for roles in (LIGHT, DARK)
    )
    rules = "".join(
        f".f-{role}{{fill:var(--figure-{role})}}.s-{role}{{stroke:var(--figure-{role})}}"
        for role in LIGHT
    )
    dark_rule = f"@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    return f":root{{{light}}}{dark_rule}{rules}".encode()
