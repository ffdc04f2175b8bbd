"""Settings of the documentation site: `make site` builds it with Sphinx, from the pages as they are.

The index is the only place that orders pages: each of its sections becomes a part of the
navigation, in the order of its links.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from nlgauge.version import __version__

project = "nlgauge"
author = "The nlgauge developers"
project_copyright = author
version = release = __version__

extensions = ["myst_nb", "sphinx_copybutton"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "nlgauge"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_copy_source = False  # the page's text is beside it in the repository
html_theme_options = {"navigation_with_keys": True}

myst_heading_anchors = 4  # the anchors that GitHub makes, as links in the pages use them
myst_enable_extensions = ["linkify"] if False else []
nb_execution_mode = "off"  # a test runs the notebooks; what they store is shown
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
pygments_style, pygments_dark_style = "friendly", "monokai"
suppress_warnings = ["misc.highlighting_failure"]

ROOT = Path(__file__).parents[1]
SECTION = re.compile(r"^## (\w[\w ]*)[^\n]*\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r"^\| \[([^\]]+)\]\(([^)#]+)\)", re.MULTILINE)
OUTSIDE = re.compile(r"\]\((?:\.\./)+(CONTRIBUTING|CHANGELOG|benchmarks/RESULTS)\.md\)")


def navigation(index: str) -> str:
    """Return a hidden table of contents for each section of the index that lists pages."""
    trees = []
    for title, text in SECTION.findall(index):
        if entries := ENTRY.findall(text):
            lines = [f"{name} <{page.rpartition('.')[0]}>" for name, page in entries]
            trees.append(
                "\n".join(["```{toctree}", ":hidden:", f":caption: {title}", "", *lines, "```"])
            )
    return "\n\n".join(trees)


def _read(app: Any, page: str, text: list[str]) -> None:
    """Add the navigation to the index, and lead links that leave the folder to pages of the site."""
    if page == "index":
        text[0] += "\n\n" + navigation(text[0])


def setup(app: Any) -> dict[str, bool]:
    """Register what happens when Sphinx reads a page."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
