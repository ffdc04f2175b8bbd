"""What the page's layout does in a real browser: wide and long tables, paper, phones, the right."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.chromium import BINARY, Browser
from support.figure_samples import samples

from nlgauge import Suite
from nlgauge.explain import explain
from nlgauge.report.figures import HeatMap
from nlgauge.report.pages.page import Section, write_report
from nlgauge.report.pages.score_page import score_sections
from nlgauge.report.tables.grid import Estimate, Field, Grid
from nlgauge.run.scoring import score_suite

pytestmark = [
    pytest.mark.skipif(
        BINARY is None, reason="no Chromium is installed; on Debian: apt-get install chromium"
    ),
    pytest.mark.xdist_group("browser"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "r.html"
    refs = ["the cat sat on the mat", "dogs bark"]
    suite = Suite.build({"good system": refs, "bad system": ["a cat", "dogs"]}, refs)
    table = score_suite(suite, ["bleu", "ter"], confidence=True, resamples=50)
    figures = Section(title="All", figures=list(samples().values()))
    write_report(path, "report", [*score_sections(table, suite), figures], command="nlgauge score")
    return path


def grid_page(tmp_path: Path, grid: Grid) -> Path:
    answer = Section(title="In short", lines=["One.", "Two."])
    write_report(tmp_path / "r.html", "t", [answer, Section(title="All", grids=[grid])])
    return tmp_path / "r.html"


def test_a_table_that_is_too_wide_has_its_intervals_below(browser: Browser, tmp_path: Path) -> None:
    row = [Estimate(10.0 + i, 9.25, 12.75) for i in range(6)]
    fields = (Field("name"), *(Field(f"metric {i}") for i in range(6)))
    page = grid_page(tmp_path, Grid("Wide", fields, [["a", *row]]))
    browser.open(page, width=1200)
    area = "document.querySelector('#all .scroll')"
    browser.wait_for(f"{area}.querySelector('table.stacked') !== null")
    assert browser.evaluate(f"{area}.scrollWidth <= {area}.clientWidth")
    assert not browser.evaluate(f"{area}.parentElement.classList.contains('more')")
    # Where there is room, they stay beside the numbers.
    browser.open(page, width=2400)
    assert browser.evaluate("document.querySelectorAll('.stacked').length") == 0
    assert browser.errors == []


def test_a_long_table_is_folded_but_on_paper(browser: Browser, tmp_path: Path) -> None:
    fields = (Field("name"), Field("value"))
    rows = [[f"row {i}", float(i)] for i in range(66)]
    browser.open(grid_page(tmp_path, Grid("Long", fields, rows)))
    seen = (
        "[...document.querySelectorAll('#all tbody tr')].filter((r) => r.checkVisibility()).length"
    )
    assert browser.evaluate(seen) == 20
    # What comes first is shown, whatever the order.
    browser.evaluate("document.querySelectorAll('#all thead button')[1].click()")
    assert browser.evaluate("document.querySelector('#all tbody th').textContent") == "row 65"
    assert browser.evaluate(seen) == 20
    browser.call("Emulation.setEmulatedMedia", media="print")
    assert browser.evaluate(seen) == 66
    browser.call("Emulation.setEmulatedMedia", media="")
    button = "document.querySelector('.fold')"
    assert browser.evaluate(f"{button}.textContent") == "show all 66 rows"
    browser.evaluate(f"{button}.click()")
    assert browser.evaluate(seen) == 66
    assert browser.errors == []


def test_paper_shows_what_is_folded_away(browser: Browser, page: Path) -> None:
    browser.open(page)
    made = "document.querySelector('header details').open"
    assert not browser.evaluate(made)
    browser.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert browser.evaluate(made)
    assert not browser.evaluate("document.querySelector('.filters').open")
    browser.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert not browser.evaluate(made)


def test_the_theme_is_set_before_the_page_is_drawn(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.evaluate("localStorage.setItem('nlgauge-theme', 'dark')")
    script = "new MutationObserver(() => { if (document.body) window.first ??= "
    script += "document.documentElement.dataset.theme; }).observe(document, "
    script += "{childList: true, subtree: true})"
    added = browser.call("Page.addScriptToEvaluateOnNewDocument", source=script)
    browser.open(page)
    assert browser.evaluate("window.first") == "dark"
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])
    browser.evaluate("localStorage.clear()")


def test_no_line_runs_through_a_name_on_a_phone(browser: Browser, page: Path) -> None:
    browser.open(page, width=390)
    crossed = """[...document.querySelectorAll('svg.slim')].flatMap((svg) => {
      const lines = [...svg.querySelectorAll('path.s-grid, path[stroke-dasharray]')];
      const names = [...svg.querySelectorAll('text')].filter((t) => t.querySelector('title'));
      return names.filter((name) => {
        const a = name.getBoundingClientRect();
        return lines.some((line) => {
          const b = line.getBoundingClientRect();
          return b.width < 2 && b.left > a.left && b.left < a.right &&
            b.top < a.bottom - 3 && b.bottom > a.top + 3;
        });
      }).map((name) => name.textContent);
    })"""
    shown = ["#scores", "#segment-scores"]
    for section in shown:
        scoped = crossed.replace("svg.slim", f"{section} svg.slim")
        assert browser.evaluate(scoped) == []


def test_a_long_text_is_unfolded_with_the_keyboard(browser: Browser, tmp_path: Path) -> None:
    suite = Suite.build({"A": ["a"]}, ["b"], sources=["long " * 200])
    table = score_suite(suite, ["bleu"])
    write_report(tmp_path / "r.html", "t", score_sections(table, suite))
    browser.open(tmp_path / "r.html")
    button = "document.querySelector('.whole')"
    assert browser.evaluate(f"{button}.getAttribute('aria-expanded')") == "false"
    browser.evaluate(f"{button}.focus()")
    for kind in ("keyDown", "keyUp"):
        browser.call(
            "Input.dispatchKeyEvent", type=kind, key="Enter", windowsVirtualKeyCode=13, text="\r"
        )
    assert browser.evaluate("document.querySelectorAll('.said.cut').length") == 0
    assert browser.evaluate(f"{button}.textContent") == "less"


def test_texts_from_the_right_start_there(browser: Browser, tmp_path: Path) -> None:
    arabic = "تقع المدينة القديمة على ضفاف النهر وتشتهر بأسواقها التقليدية"
    explain(arabic, arabic, "chrf").report(tmp_path / "r.html")
    browser.open(tmp_path / "r.html", width=390)
    area = "document.querySelector('.from-right .scroll')"
    assert browser.evaluate(f"{area}.scrollLeft + {area}.clientWidth >= {area}.scrollWidth - 1")
    browser.wait_for("document.querySelector('.from-right.more') !== null")
    hint = "getComputedStyle(document.querySelector('.from-right'), '::before').content"
    assert "← scroll" in browser.evaluate(hint)
    browser.call("Emulation.setEmulatedMedia", media="print")  # paper cannot be scrolled
    assert browser.evaluate(hint) == "none"
    browser.call("Emulation.setEmulatedMedia", media="")
    # The texts stand first, as they were given.
    assert browser.evaluate("document.querySelector('#texts td').textContent") == arabic


def test_a_word_without_blanks_fits_a_phone(browser: Browser, tmp_path: Path) -> None:
    code = "for(i=0;i<10;++i){std::cout<<very_long_function_name(parameter_one)<<std::endl;}"
    explain(code, code + "x", "ter").report(tmp_path / "r.html")
    browser.open(tmp_path / "r.html", width=390)
    letters = "[...document.querySelectorAll('svg.slim text')].map((t) => t.getBBox().width)"
    assert max(browser.evaluate(letters)) <= 336
    assert browser.evaluate(
        "[...document.querySelectorAll('svg.slim title')].some((t) => "
        "t.textContent.startsWith('substitute: for('))"
    )


def test_a_dot_stands_beside_its_name(browser: Browser, tmp_path: Path) -> None:
    names = ("RWTH.5636", "an_unbroken_name_of_a_system_that_goes_on_and_on_and_on")
    fields = (Field("system", coloured=names), *(Field(f"metric {i}") for i in range(9)))
    rows = [[name, *[1.0] * 9] for name in names]
    page = grid_page(tmp_path, Grid("Dots", fields, rows))
    for width in (390, 1200):
        browser.open(page, width=width)
        below = """[...document.querySelectorAll('.dot')].filter((dot) => {
          const name = dot.nextElementSibling.getClientRects()[0];
          const place = dot.getBoundingClientRect();
          return place.bottom > name.top + 24 || place.right > name.left + 1;
        }).length"""
        assert browser.evaluate(below) == 0
    # A long name leaves room for numbers on a phone.
    browser.open(page, width=390)
    assert browser.evaluate("document.querySelector('#all tbody th').offsetWidth") < 170


def test_numbers_of_a_wide_map_can_be_read_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    names = [f"system {i}" for i in range(12)]
    shown = HeatMap.of_p_values("p", names, names, np.full((12, 12), 0.0001))
    write_report(tmp_path / "r.html", "t", [Section(title="All", figures=[shown])])
    browser.open(tmp_path / "r.html", width=390)
    drawn = "document.querySelector('svg.slim')"
    browser.wait_for(f"{drawn}.closest('.hinted').classList.contains('more')")
    share = f"{drawn}.getBoundingClientRect().width / {drawn}.viewBox.baseVal.width"
    assert browser.evaluate(share) >= 0.84
    assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_headings_of_long_names_fit_a_phone(browser: Browser, tmp_path: Path) -> None:
    name = "an_unbroken_name_of_a_system_that_goes_on_and_on_and_on_and_on_and_on"
    grid = Grid(name + "_again", (Field("a"),), [[1.0]])
    write_report(tmp_path / "r.html", "t", [Section(title=name, grids=[grid])])
    browser.open(tmp_path / "r.html", width=390)
    assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")
