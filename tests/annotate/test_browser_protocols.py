"""Every protocol in a real browser, by keyboard alone, at desktop and phone width."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from annotate.test_protocols import said, same
from support.chromium import BINARY
from support.studies.protocol_cases import ARABIC, CASES, EMOJI
from support.studies.study_browser import StudyBrowser, axe_source
from support.studies.study_server import StudyServer, make_study

from nlgauge.annotate import PROTOCOLS, open_database, study_answers
from nlgauge.io import read_judgements

pytestmark = [
    pytest.mark.skipif(
        BINARY is None, reason="no Chromium is installed; on Debian: apt-get install chromium"
    ),
    pytest.mark.xdist_group("browser"),
]
MARK = ["Tab:button[data-add]", "Enter"]
KEYS = {
    "mqm": [
        "ArrowRight", "ArrowRight", "Enter", "text:Fluency/Sp", "Tab", "ArrowDown", *MARK,
        *["ArrowRight"] * 3, "Enter", "text:Fluency/P", "Tab", "ArrowUp", *MARK,
    ],
    # From right to left, the arrow to the left goes on.
    "esa": [
        "ArrowLeft", "ArrowLeft", "Enter", "Space", *MARK, "Tab:input[type=range]",
        *["ArrowRight"] * 20,
    ],
    "pyramid": [
        "ArrowRight", "Control+Shift+ArrowRight", "Enter", "text:rain", *MARK,
        "Tab:[data-text='2']", "ArrowRight", "ArrowRight", "Enter", "text:rain", *MARK,
        "Tab:[data-text='3']", "ArrowRight", "ArrowRight", "Enter", "text:sun", *MARK,
    ],
}  # fmt: skip
WINDOWS = {"phone": {"width": 390, "height": 800}, "desktop": {"width": 1200, "height": 900}}


@pytest.fixture(scope="module")
def browser() -> Iterator[StudyBrowser]:
    with StudyBrowser() as browser:
        yield browser


def test_a_study_in_arabic_reads_from_right_to_left(browser: StudyBrowser, tmp_path: Path) -> None:
    toml = f"""title = "{ARABIC}"
    language = "ar"
    text_language = "ar"
    consent = "{ARABIC} (2026)."
    [[question]]
    protocol = "pairwise"
    question = "{ARABIC}؟"
    """
    texts = [{"id": 1, "system": s, "hypothesis": f"{ARABIC} {s}"} for s in "ab"]
    shown = """[...document.querySelectorAll('header p, .prose, legend, .option .text')].map(
        (e) => `${getComputedStyle(e).direction} ${e.closest('[lang]').lang}`)"""
    with StudyServer(make_study(tmp_path, toml, texts)) as server:
        browser.served = (server.url,)
        (link,) = server.links()
        browser.visit(link, width=390)
        browser.until("document.readyState === 'complete'")
        assert browser.evaluate(shown) == ["rtl ar"] * 2
        browser.enter(link, width=390)
        assert browser.evaluate(shown) == ["rtl ar"] * 4
        assert browser.overflow() <= 0
        if axe_source() is not None:
            assert browser.barriers() == []


@pytest.mark.parametrize(
    ("name", "window"),
    # Wordings of one protocol look alike on a phone.
    [(name, "desktop") for name in CASES] + [(name, "phone") for name in PROTOCOLS],
)
def test_by_keyboard(name: str, window: str, browser: StudyBrowser, tmp_path: Path) -> None:
    case = CASES[name]
    study = make_study(tmp_path, case.toml, case.records)
    with StudyServer(study) as server:
        browser.served = (server.url,)
        browser.errors.clear()
        (link,) = server.links(role="author" if name == "cross-comprehension" else "")
        browser.enter(link, **WINDOWS[window], dark=window == "phone")
        assert browser.overflow() <= 0
        if axe_source() is not None:
            assert browser.barriers() == []
        shown = browser.evaluate(
            "[...document.querySelectorAll('form .text')].map(t => t.innerText)"
        )
        browser.to_form()
        for key in KEYS.get(name, case.keys):
            browser.press(key)
        if axe_source() is not None and name in KEYS:
            assert browser.barriers() == []
        browser.send()
        assert browser.errors == []
    if name == "best-worst":
        systems = {record["hypothesis"]: record["system"] for record in case.records}
        value = {systems[shown[0]]: 1.0, systems[shown[1]]: -1.0}
        expected = [("i1", s, "quality", value.get(s, 0.0), None) for s in systems.values()]
        case = replace(case, expected=expected)
    if case.expected:
        same(said(read_judgements(study)), case.expected)
    with open_database(study) as database:
        (answer,) = study_answers(database)
    if name == "mqm":  # browsers count five for the astronaut, Python three
        spans = [(m["start"], m["end"], m["quote"]) for m in answer["answers"][0]["errors"]]
        assert spans == [(4, 7, "👩‍🚀"), (16, 19, "e\u0301t")]
        assert all(EMOJI[start:end] == quote for start, end, quote in spans)
    if name == "cross-comprehension":
        assert answer["answers"] == [
            {"summary": "A river rose.", "question1": "What rose?", "answer1": "A river."}
        ]
