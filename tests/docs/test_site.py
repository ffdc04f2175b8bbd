"""The site builds without a warning, is whole, and is read without a network, on a phone too."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.chromium import BINARY, Browser
from support.studies.study_browser import axe_source

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SOURCES = sorted(path for kind in ("md", "ipynb") for path in DOCS.rglob(f"*.{kind}"))
PAGES = [path.relative_to(DOCS).with_suffix("") for path in SOURCES]
LOOKED_AT = (
    *("index", "tutorials/mt-paper", "notebooks/summaries", "notebooks/translation"),
    *("reference/metrics", "search"),
)

pytestmark = pytest.mark.xdist_group("site")  # one build for all of them


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build with -W fails for a link that leads nowhere and a page that nothing leads to."""
    folder = tmp_path_factory.mktemp("site")
    command = ["-q", "-W", "--keep-going", "-d", str(folder / "cache"), str(DOCS)]
    built = folder / "html"
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *command, str(built)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return built


def test_every_page_is_in_the_navigation(site: Path) -> None:
    index = (site / "index.html").read_text(encoding="utf-8")
    navigation = index.partition('class="sidebar-tree"')[2].partition("</aside>")[0]
    for page in PAGES:
        if str(page) != "index":
            assert f'href="{page}.html"' in navigation, page


def test_parts_are_in_the_order_of_learning(site: Path) -> None:
    index = (site / "index.html").read_text(encoding="utf-8")
    captions = re.findall(r'class="caption-text">([^<]+)<', index)
    parts = ["Tutorials", "Recipes", "How-to guides", "Reference", "Explanation", "Results"]
    assert captions == parts


def test_nothing_is_fetched(site: Path) -> None:
    loaded = re.compile(r'<(?:script|img|iframe)[^>]*\ssrc="(?:https?:)?//|<link[^>]*href="https?:')
    for page in site.rglob("*.html"):
        assert not loaded.search(page.read_text(encoding="utf-8")), page
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert not re.search(r"url\(['\"]?(?:https?:)?//|@import ['\"]http", text), sheet


def test_links_between_built_pages_lead_somewhere(site: Path) -> None:
    anchors: dict[Path, str] = {}
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for link in set(re.findall(r'<a [^>]*href="([^"]+)"', text)):
            path, _, anchor = link.partition("#")
            if "://" in link or link.startswith("mailto:"):
                continue
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), f"{page}: {link}"
            if anchor and target.suffix == ".html":
                found = anchors.setdefault(target, target.read_text(encoding="utf-8"))
                assert f'id="{anchor}"' in found, f"{page}: {link}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if BINARY is None:
        pytest.skip("no Chromium; on Debian: apt-get install chromium")
    with Browser() as opened:
        yield opened


@pytest.mark.parametrize("page", LOOKED_AT)
@pytest.mark.parametrize("width", [1200, 390])
def test_pages_are_not_wider_than_the_screen(
    site: Path, browser: Browser, page: str, width: int
) -> None:
    for dark in (False, True):
        browser.open(site / f"{page}.html", width=width, dark=dark)
        assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert not browser.errors


def test_headings_of_a_phone_are_smaller_the_deeper_they_are(site: Path, browser: Browser) -> None:
    browser.open(site / "tutorials" / "mt-paper.html", width=390)
    sizes = (
        "['h1', 'h2'].map((h) => parseFloat(getComputedStyle(document.querySelector(h)).fontSize))"
    )
    first, second = browser.evaluate(sizes)
    assert first > second


def test_search_finds_a_metric_without_a_server(site: Path, browser: Browser) -> None:
    browser.visit((site / "search.html").as_uri() + "?q=moverscore")
    found = "document.querySelector('#search-results').innerText"
    browser.wait_for(f"{found}.includes('MoverScore')", seconds=60)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(
    "page",
    ["index", "tutorials/ci-gate", "notebooks/summaries", "notebooks/translation"],
)
def test_pages_can_be_read_by_everybody(
    site: Path, browser: Browser, page: str, dark: bool
) -> None:
    source = axe_source()
    if not source:
        pytest.skip("no axe-core; pip install --no-deps axe-playwright-python==0.1.8")
    browser.open(site / f"{page}.html", dark=dark)
    browser.evaluate(source)
    options = "{runOnly: ['wcag2a', 'wcag2aa']}"
    found = browser.evaluate(
        f"axe.run(document, {options}).then(r => r.violations.map("
        "v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html).join(' ')))"
    )
    assert found == []
