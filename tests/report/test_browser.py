"""The report in a real browser: it sorts, filters, highlights and fits a phone, without errors."""

import csv
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from support.chromium import BINARY, Browser
from support.evil_texts import EVIL, evil_suite
from support.figure_samples import samples

from nlgauge import Suite
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

NOT_ENCODED = "!'()*"  # by encodeURIComponent, besides letters and digits
REFS = [" ".join(f"w{i}" for i in range(k + 3)) for k in range(50)]  # 3 to 52 words
SYSTEMS = {"good": [*REFS[:49], "other"], "bad": [ref.replace("w1 ", "x ") for ref in REFS]}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("report") / "r.html"
    suite = Suite.build(SYSTEMS, REFS)
    table = score_suite(suite, ["bleu", "ter"], confidence=True, paired=True, resamples=50)
    rows = [["a", Estimate(9.5, 9, 10)], ["b", None], ["c", -3.0], ["d", 10.25]]
    grid = Grid("Numbers", (Field("name"), Field("value")), rows)
    figures = list(samples().values())
    sections = [*score_sections(table, suite), Section(title="All", grids=[grid], figures=figures)]
    write_report(path, "report", sections, command="nlgauge score " + "x" * 200)
    return path


def column(number: int) -> str:
    cells = "[...document.querySelectorAll('#all tbody tr')]"
    return f"{cells}.map((row) => row.cells[{number}].textContent)"


def control(browser: Browser, **values: str) -> None:
    """Set controls of the segments, and wait until the list has followed."""
    for name, value in values.items():
        browser.evaluate(f"document.querySelector('form').elements['{name}'].value = '{value}'")
    browser.evaluate("document.querySelector('.list').replaceChildren()")
    browser.evaluate(
        "document.querySelector('form').dispatchEvent(new Event('input', {bubbles: true}))"
    )
    browser.wait_for("document.querySelector('.list').childElementCount > 0")


def ids(browser: Browser) -> list[str]:
    heads = "[...document.querySelectorAll('.segment h3')].map((h) => h.textContent)"
    return [head.split(" ")[0] for head in browser.evaluate(heads)]


def said(browser: Browser, number: int) -> str:
    rows = "document.querySelector('.segment').querySelectorAll('.said')"
    found = browser.evaluate(f"{rows}[{number}].innerHTML")
    assert isinstance(found, str)
    return found


def test_tables_sort_by_number_with_missing_values_last(browser: Browser, page: Path) -> None:
    browser.open(page)
    heading = "document.querySelectorAll('#all thead button')[1].click()"
    browser.evaluate(heading)
    assert browser.evaluate(column(0)) == ["d", "a", "c", "b"]
    browser.evaluate(heading)
    assert browser.evaluate(column(0)) == ["c", "a", "d", "b"]
    assert browser.errors == []


def test_segments_are_filtered_and_sorted(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert ids(browser) == [str(i) for i in range(1, 21)]
    browser.evaluate("document.querySelector('[data-turn=\"1\"]').click()")
    assert ids(browser) == [str(i) for i in range(21, 41)]
    control(browser, sort="length", direction="down")
    assert ids(browser)[:3] == ["50", "49", "48"]
    control(browser, shortest="10", longest="12")
    assert ids(browser) == ["10", "9", "8"]
    control(browser, shortest="", longest="", search="OTHER")
    assert ids(browser) == ["50"]
    # TER: one wrong word of three is the largest share; in the last segment `good` is the worse.
    control(browser, search="", metric="1", system="1", against="0", sort="difference")
    assert (ids(browser)[0], len(ids(browser))) == ("1", 20)
    control(browser, direction="up")
    assert ids(browser)[0] == "50"
    control(browser, direction="up", sort="position", system="0", lowest="1")
    assert ids(browser) == ["50"]
    assert browser.errors == []


def test_differences_are_highlighted(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert said(browser, 1) == "w0 w1 w2"
    assert said(browser, 2) == 'w0 <mark title="instead of: w1">x</mark> w2'
    control(browser, highlight="trace0")
    assert 'class="run"' in said(browser, 1)
    control(browser, highlight="trace1")
    assert "<mark" in said(browser, 2)
    control(browser, highlight="none")
    assert said(browser, 2) == "w0 x w2"
    assert browser.errors == []


def test_inserted_and_missing_words(browser: Browser, tmp_path: Path) -> None:
    suite = Suite.build({"s": ["b, c new d"]}, ["a b, c d e"])
    write_report(tmp_path / "r.html", "t", score_sections(score_suite(suite, ["bleu"]), suite))
    browser.open(tmp_path / "r.html")
    missing, added = '<del title="missing">', '<ins title="added">'
    assert said(browser, 1) == f"{missing}a</del> b, c {added}new</ins> d {missing}e</del>"


@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_is_wider_than_the_screen(
    browser: Browser, page: Path, width: int, dark: bool
) -> None:
    browser.open(page, width=width, dark=dark)
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    paper = browser.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(22, 24, 27)" if dark else "rgb(255, 255, 255)")
    assert browser.errors == []


def test_a_saved_figure_carries_its_colours(browser: Browser, page: Path) -> None:
    browser.open(page, dark=True)
    text = browser.evaluate("standalone(document.querySelector('figure svg'))")
    assert "<style" in text
    assert ".f-ink{fill:#212529}" in text


def test_tables_are_copied(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    browser.evaluate("document.querySelector('#all [data-copy=tsv]').click()")
    assert browser.evaluate("copied").splitlines()[1] == "a\t9.5\t9\t10"


def test_texts_run_no_scripts(browser: Browser, tmp_path: Path) -> None:
    suite = evil_suite()
    table = score_suite(suite, ["bleu", "ter"])
    write_report(tmp_path / "r.html", "t", score_sections(table, suite))
    browser.open(tmp_path / "r.html")
    assert browser.evaluate("document.querySelectorAll('img').length") == 0
    assert (
        browser.evaluate("document.querySelector('.segment .said').textContent")
        == (
            suite.systems["b\u2028\x00"].sources[0]  # type: ignore[index]
        )
    )
    assert browser.errors == []


def test_long_texts_and_many_references_are_folded(browser: Browser, tmp_path: Path) -> None:
    suite = Suite.build({"A": ["a"], "B": ["b"]}, [list("abcdef")], sources=["long " * 200])
    table = score_suite(suite, ["bleu"])
    write_report(tmp_path / "r.html", "t", score_sections(table, suite))
    browser.open(tmp_path / "r.html")
    assert (
        browser.evaluate("document.querySelector('.more summary').textContent")
        == "3 more references"
    )
    assert browser.evaluate("document.querySelectorAll('.said.cut').length") == 1
    browser.evaluate("document.querySelector('.said.cut').click()")
    assert browser.evaluate("document.querySelectorAll('.said.cut').length") == 0
    rows = "document.querySelectorAll('.list .marks').length"
    assert browser.evaluate(rows) == 2
    browser.evaluate("document.querySelector('[name=system0]').click()")
    browser.evaluate("document.querySelector('[data-all]').click()")
    assert browser.evaluate(rows) == 2
    browser.evaluate("document.querySelector('[data-all]').click()")
    assert browser.evaluate(rows) == 0
    assert browser.errors == []


def test_a_segment_can_be_linked_to(browser: Browser, page: Path) -> None:
    browser.visit(page.resolve().as_uri() + "#segment=33")
    linked = "document.querySelector('.linked h3').textContent.split(' ')[0]"
    browser.wait_for("document.querySelector('.linked') !== null")
    assert browser.evaluate(linked) == "33"
    # Another link is followed, also where filters hide the segment.
    control(browser, search="OTHER")
    assert ids(browser) == ["50"]
    browser.evaluate("location.hash = '#segment=2'")
    browser.wait_for(f"{linked} === '2'")
    assert browser.evaluate("document.querySelector('.segment a').hash") == "#segment=1"
    assert browser.errors == []


def test_light_and_dark_can_be_switched(browser: Browser, page: Path) -> None:
    browser.open(page, dark=True)
    paper = "getComputedStyle(document.body).backgroundColor"
    browser.evaluate("document.querySelector('[data-switch]').click()")
    assert browser.evaluate(paper) == "rgb(255, 255, 255)"
    browser.open(page, dark=True)  # remembered
    assert browser.evaluate(paper) == "rgb(255, 255, 255)"
    browser.evaluate("document.querySelector('[data-switch]').click()")
    assert browser.evaluate(paper) == "rgb(22, 24, 27)"
    browser.evaluate("localStorage.clear()")
    assert browser.errors == []


def test_tables_and_segments_are_saved_as_csv(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.evaluate("URL.createObjectURL = (blob) => { window.saved = blob.text(); return '#'; }")
    browser.evaluate("document.querySelector('#all [data-csv]').click()")
    assert browser.evaluate("saved").lstrip("\ufeff").split("\r\n")[:2] == [
        "name,value,value_low,value_high",
        "a,9.5,9,10",
    ]
    browser.evaluate("document.querySelector('[data-segments-csv]').click()")
    lines = browser.evaluate("saved").lstrip("\ufeff").split("\r\n")
    assert lines[0] == "id,reference,system,output,bleu,ter"
    assert lines[1].startswith("1,w0 w1 w2,good,w0 w1 w2,")
    assert len(lines) == 1 + 2 * 50 + 1


def test_contents_stay_in_sight(browser: Browser, page: Path) -> None:
    for width in (1200, 390):
        browser.open(page, width=width)
        browser.evaluate("window.scrollTo(0, document.documentElement.scrollHeight / 2)")
        top = browser.evaluate("document.querySelector('.contents').getBoundingClientRect().top")
        assert -1 <= top <= 1
        browser.evaluate("document.querySelector('#metrics').scrollIntoView()")
        current = "document.querySelector('.contents [aria-current]')?.hash"
        browser.wait_for(f"{current} === '#metrics'")


def test_a_phone_has_figures_of_its_own(browser: Browser, page: Path) -> None:
    letters = (
        "[...document.querySelectorAll('#scores svg text, #segment-scores svg text')]"
        ".filter((t) => t.checkVisibility()).map((t) => "
        "t.getScreenCTM().a * parseFloat(t.getAttribute('font-size')))"
    )
    for width in (390, 1200):
        browser.open(page, width=width)
        assert min(browser.evaluate(letters)) >= 10.5
    systems = "[...document.querySelectorAll('#scores tbody .dot')].map((d) => d.className)"
    assert browser.evaluate(systems)[:2] == ["dot b-series0", "dot b-series1"]


def test_nothing_that_is_saved_or_linked_to_can_run(browser: Browser, tmp_path: Path) -> None:
    formula = '=HYPERLINK("x")'
    suite = Suite.build({"A": [formula, "-1"]}, ["a", "b"], ids=[EVIL, "2"])
    table = score_suite(suite, ["bleu"])
    write_report(tmp_path / "r.html", "t", score_sections(table, suite))
    page = (tmp_path / "r.html").resolve().as_uri()
    browser.visit(f"{page}#segment={quote(EVIL, safe=NOT_ENCODED)}")
    browser.wait_for("document.querySelector('.linked') !== null")
    assert browser.evaluate("document.querySelectorAll('img').length") == 0
    browser.evaluate("URL.createObjectURL = (blob) => { window.saved = blob.text(); return '#'; }")
    browser.evaluate("document.querySelector('[data-segments-csv]').click()")
    first, second = list(csv.reader(browser.evaluate("saved").splitlines()))[1:]
    assert first[:4] == [EVIL, "a", "A", f"'{formula}"]
    assert second[:4] == ["2", "b", "A", "-1"]
    assert browser.errors == []
