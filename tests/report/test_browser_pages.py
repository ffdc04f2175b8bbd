"""The page of every command in a real browser: no wider than a phone, and without barriers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from report.test_reports import JUDGED, NEWS, PAGES
from support.chromium import BINARY
from support.command_line import run
from support.studies.study_browser import StudyBrowser, axe_source
from support.trace_samples import samples

from nlgauge.core.metric import Score
from nlgauge.explain.explanation import Explanation
from nlgauge.report.explain.explanation_html import to_html

pytestmark = [
    pytest.mark.skipif(
        BINARY is None, reason="no Chromium is installed; on Debian: apt-get install chromium"
    ),
    pytest.mark.xdist_group("browser"),
]
COMMANDS = {name: [name, *arguments] for name, (arguments, _) in PAGES.items()} | {
    "tested": ["score", NEWS, "-m", "bleu", "ter", "--paired-bs"],
    "many metrics": ["score", NEWS, "-q", "-m", *"bleu ter chrf nist gleu wer per".split()],
    "card": ["metrics", "beer"],
    "means": ["analyse", "systems", JUDGED],
    "decisions": ["analyse", "decisions", JUDGED, "-c", "adequacy", "--scale", "1", "5"],
    "explained": ["explain", NEWS, "-n", "news-002", "-m", "bleu", "chrf", "ter", "meteor"],
}


@pytest.fixture(scope="module")
def browser() -> Iterator[StudyBrowser]:
    with StudyBrowser() as browser:
        yield browser


def check(browser: StudyBrowser, page: Path) -> None:
    browser.errors.clear()
    for width, dark in ((390, True), (1200, False)):
        browser.open(page, width=width, dark=dark)
        assert browser.overflow() <= 0
        # What goes on behind the edge says so, and is reached with the keyboard.
        unseen = "scrollWidth - clientWidth > 1"
        hidden = browser.evaluate(
            "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done("
            "[...document.querySelectorAll('.scroll')].filter((a) => "
            f"a.{unseen.replace('clientWidth', 'a.clientWidth')} && "
            "!(a.parentElement.classList.contains('more') && a.tabIndex === 0)).length))))"
        )
        assert hidden == 0
        if axe_source() is not None:
            # Figures are pictures with a name, whose letters no tool has to read one by one.
            assert browser.barriers(but="figure svg") == []
    assert browser.errors == []


@pytest.mark.parametrize("name", COMMANDS)
def test_page_of_a_command(
    name: str, browser: StudyBrowser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, *COMMANDS[name], "--report", str(tmp_path / "r.html"))
    check(browser, tmp_path / "r.html")


def test_page_of_explanations(browser: StudyBrowser, tmp_path: Path) -> None:
    found = [
        Explanation("some-metric", Score("some", 0.5, 1.0, "some|" + "v:1|" * 100, {}), trace, 0)
        for trace in samples().values()
    ]
    (tmp_path / "r.html").write_text(to_html(found), encoding="utf-8")
    check(browser, tmp_path / "r.html")
