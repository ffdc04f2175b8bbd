"""The page of every command in a real browser: no wider than a phone, and without barriers."""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from report.test_reports import ANALYSES, JUDGED, NEWS, PAGES
from support.chromium import BINARY
from support.command_line import run
from support.studies.study_browser import StudyBrowser, axe_source
from support.trace_samples import samples

from nlgauge.core.metric import Score
from nlgauge.explain.explanation import Explanation
from nlgauge.report.explain.explanation_html import sections
from nlgauge.report.pages.page import to_html

pytestmark = [
    pytest.mark.skipif(
        BINARY is None, reason="no Chromium is installed; on Debian: apt-get install chromium"
    ),
    pytest.mark.xdist_group("browser"),
]
LONG = "an_unbroken_name_of_a_system_that_goes_on_and_on_and_on_and_on_and_on_and_on_and_on"
LONG_ID = "document-with-a-long-name-of-its-own/paragraph-12/" + 5 * "sentence-of-it"
CASES = {  # of files that `write_cases` makes
    "one system": "score -q one.jsonl -m bleu ter --confidence",
    "twelve systems": "compare -q twelve.jsonl -m chrf --trials 100 --resamples 50",
    "three segments": "compare -q three.jsonl -m bleu ter --trials 100 --resamples 50",
    "error metrics": "score -q all.jsonl -m ter wer per --confidence",
    "long names": "compare -q long.jsonl -m bleu ter --trials 100 --resamples 50",
    "from the right": "score -q arabic.jsonl -m chrf ter",
    "no blanks": "score -q chinese.jsonl -m chrf bleu -tok zh",
    "no references": "score -q alone.jsonl -m distinct-1 repetition compression",
    "explained long": f"explain long.jsonl -n {LONG_ID} -m ter chrf rouge-l",
    "by the literature": "recommend --task summarization --criterion coverage",
}
COMMANDS = {name: [name, *arguments] for name, (arguments, _) in PAGES.items()} | {
    "tested": ["score", NEWS, "-m", "bleu", "ter", "--paired-bs"],
    "many metrics": ["score", NEWS, "-q", "-m", *"bleu ter chrf nist gleu wer per".split()],
    "annotators": ["agree", JUDGED, "--model", "dawid-skene", "-cin", "20"],
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
    for width, dark in product((390, 1200), (True, False)):
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


def write_cases(folder: Path) -> None:
    """Write data of which pages are hard to lay out: many systems, few texts, long names."""
    texts = [
        {**record, "system": system, "hypothesis": hyp}
        for record in map(json.loads, Path(NEWS).read_text("utf-8").splitlines())
        for system, hyp in record.pop("hypotheses").items()
    ]
    north = [row for row in texts if row["system"] == "north"]

    def write(name: str, rows: list[dict[str, Any]]) -> None:
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, "utf-8")

    def told(rows: list[dict[str, Any]], hyp: str, ref: str) -> list[dict[str, Any]]:
        return [{**row, "hypothesis": hyp, "references": [ref]} for row in rows]

    write("all", texts)
    write("one", north)
    few = {row["id"] for row in north[:3]}
    write("three", [row for row in texts if row["id"] in few])
    write(
        "twelve",
        [
            {**row, "system": f"system-{n}.56{n}", "hypothesis": row["hypothesis"][n:]}
            for n in range(12)
            for row in north[:20]
        ],
    )
    long = [{**row, "id": LONG_ID} for row in texts if row["id"] == north[0]["id"]]
    write(
        "long",
        [
            {**row, "system": f"{LONG}-{i}" if i else " ".join(3 * ["a name in words"])}
            for i, row in enumerate(told(long, 40 * "a text " + 90 * "path", 40 * "a text "))
        ],
    )
    arabic = "تقع المدينة القديمة على ضفاف النهر وتشتهر بأسواقها التقليدية"
    write("arabic", told(texts[:9], arabic[5:], arabic))
    write(
        "chinese",
        told(texts[:9], "今天天气不错，我们去公园走走。", "今天天气很好，我们去公园散步。"),
    )
    write("alone", [{**row, "references": [], "source": "A source text."} for row in texts[:30]])


@pytest.mark.parametrize("name", CASES)
def test_page_that_is_hard_to_lay_out(
    name: str,
    browser: StudyBrowser,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_cases(tmp_path)
    monkeypatch.chdir(tmp_path)
    run(capsys, *CASES[name].split(), "--report", "r.html")
    check(browser, tmp_path / "r.html")


@pytest.mark.parametrize(("name", "rows"), [(name, rows) for name, rows, _ in ANALYSES])
def test_page_of_an_analysis(
    name: str,
    rows: list[dict[str, Any]],
    browser: StudyBrowser,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = tmp_path / "r.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run(capsys, "analyse", name, str(data), "--report", str(tmp_path / "r.html"))
    check(browser, tmp_path / "r.html")


def test_page_of_explanations(browser: StudyBrowser, tmp_path: Path) -> None:
    found = [
        Explanation("some-metric", Score("some", 0.5, 1.0, "some|" + "v:1|" * 100, {}), trace, 0)
        for trace in samples().values()
    ]
    (tmp_path / "r.html").write_text(to_html("x", sections(found)), encoding="utf-8")
    check(browser, tmp_path / "r.html")
