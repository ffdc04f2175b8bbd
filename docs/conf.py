"""Settings of the documentation site, which `make site` builds with Sphinx from the pages.

The index is the only place that orders pages: each of its sections becomes a part of the
navigation, in the order of its links.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from nlgauge.version import __version__

project = html_title = "nlgauge"
author = project_copyright = "The nlgauge developers"
version = release = __version__

extensions = ["myst_nb", "sphinx_copybutton"]
html_theme = "furo"  # keeps fonts, scripts and the search to itself: nothing is asked for elsewhere
html_static_path = ["site"]
html_css_files, html_js_files = ["site.css"], ["site.js"]
html_copy_source = html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
pygments_style, pygments_dark_style = "a11y-high-contrast-light", "a11y-high-contrast-dark"

myst_heading_anchors = 4  # the anchors that GitHub makes, as links in the pages use them
nb_execution_mode = "off"  # a test runs the notebooks; what they store is shown
smartquotes = False  # which would make a dash of the two in --option
copybutton_prompt_text = "$ "
copybutton_line_continuation_character = "\\"
suppress_warnings = ["misc.highlighting_failure"]  # blocks of Python that leave something out

ROOT = Path(__file__).parents[1]
SECTION = re.compile(r"^## (\w[\w -]*)[^\n]*\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r"^\| \[([^\]]+)\]\(([^)#]+)\)", re.MULTILINE)
# Pages of the repository that stand outside of this folder, and where the site has them.
OUTSIDE = {
    "CONTRIBUTING.md": "project/contributing",
    "CHANGELOG.md": "project/changes",
    "benchmarks/RESULTS.md": "project/speed",
}


def navigation(index: str) -> str:
    """Return a hidden table of contents for each section of the index that lists pages."""
    trees = []
    for title, text in SECTION.findall(index):
        if entries := ENTRY.findall(text):
            lines = [f"{name} <{page.rpartition('.')[0]}>" for name, page in entries]
            head = ["```{toctree}", ":hidden:", f":caption: {title}", ""]
            trees.append("\n".join([*head, *lines, "```"]))
    return "\n\n".join(trees)


def _read(_: Any, page: str, text: list[str]) -> None:
    """Give the index its navigation, and pages outside of this folder a place in the site."""
    if page == "index":
        text[0] += "\n\n" + navigation(text[0])
    for path, place in OUTSIDE.items():
        if page == place:
            text[0] = (ROOT / path).read_text(encoding="utf-8").replace("](docs/", "](/")
        else:
            text[0] = re.sub(rf"\]\((?:\.\./)+{re.escape(path)}\)", f"](/{place}.md)", text[0])


def _levels(*event: Any) -> None:
    """Tell readers of the screen the level of the navigation's headings, which the theme omits."""
    context = event[3]
    name = "furo_navigation_tree"
    heading = 'role="heading"'
    context[name] = context.get(name, "").replace(heading, f'{heading} aria-level="2"')


def setup(app: Any) -> dict[str, bool]:
    """Register what happens when Sphinx reads a page."""
    app.connect("source-read", _read)
    app.connect("html-page-context", _levels, priority=900)  # after the theme
    return {"parallel_read_safe": True, "parallel_write_safe": True}
