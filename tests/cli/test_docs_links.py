"""Links of the documentation lead somewhere, and every page can be reached."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
SOURCES = [
    *(ROOT / name for name in ("Makefile", "NOTICE")),
    *(
        path
        for folder in ("src", "tests", "benchmarks", "weights", "docs")
        for path in sorted((ROOT / folder).rglob("*.py"))
    ),
]

LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes of headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.name)
def test_index_lists_every_page(page: Path) -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    assert page.name == "index.md" or f"({page.relative_to(DOCS)})" in index


def test_paths_in_sources_and_pages_are_there() -> None:
    for place in [*PAGES, *SOURCES]:
        for path in re.findall(r"\bdocs/[\w/.-]*\w\.(?:md|svg|py)", place.read_text("utf-8")):
            assert (ROOT / path).exists(), f"{place.relative_to(ROOT)}: {path}"


def test_map_has_every_package_in_the_order_of_the_layers() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.+?`) \|", text, re.MULTILINE)
    shown = [re.findall(r"`(\w+)`", row) for row in rows]
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    layers = re.findall(r'"([\w| ]+)"', settings.partition("\nlayers = [")[2].partition("]")[0])
    assert shown == [layer.split(" | ") for layer in layers]


def test_modules_that_the_walks_name_are_there() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    for path in re.findall(r"`((?:[a-z_]+/)+(?:[a-z_]+\.py)?)", text):
        places = [ROOT / path, *(ROOT / "src").glob(f"nlgauge/{path}")]
        places += (ROOT / "src").glob(f"nlgauge/*/{path}")
        assert any(place.exists() for place in places), path
