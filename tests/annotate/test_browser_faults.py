"""An annotator whose answer cannot be saved sees it, keeps it, and it is sent again."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.chromium import BINARY
from support.studies.study_browser import StudyBrowser
from support.studies.study_server import StudyServer, make_study

from nlgauge.io import read_judgements

pytestmark = [
    pytest.mark.skipif(
        BINARY is None, reason="no Chromium is installed; on Debian: apt-get install chromium"
    ),
    pytest.mark.xdist_group("browser"),
]
TOML = 'title = "t"\ninstructions = "# Read me"\n[[question]]\nprotocol = "fluency"\n'
RECORDS = [{"id": k, "system": "north", "hypothesis": f"text {k}"} for k in range(3)]
TOLD = "document.getElementById('told').innerText"
CHECKED = "document.querySelector('input[type=radio]:checked')?.value"


@pytest.fixture(scope="module")
def browser() -> Iterator[StudyBrowser]:
    with StudyBrowser() as browser:
        yield browser


def answer(browser: StudyBrowser, key: str) -> None:
    browser.to_form()
    browser.press(key)
    browser.tab_to("form[data-send] button[type=submit]")
    browser.press("Enter")


def test_lost_connection(browser: StudyBrowser, tmp_path: Path) -> None:
    study = make_study(tmp_path, TOML, RECORDS)
    with StudyServer(study) as server:
        browser.served = (server.url,)
        browser.enter(server.links()[0])
        browser.until("document.readyState === 'complete'")
    answer(browser, "4")
    browser.until(f"{TOLD}.includes('the server cannot be reached')")
    assert "still here and will be sent again" in browser.evaluate(TOLD)
    assert browser.evaluate(CHECKED) == "4"
    assert browser.evaluate("document.querySelector('button[type=submit]').innerText") == (
        "Send again now"
    )
    browser.evaluate("window.here = true")
    with StudyServer(study, server.port):  # the server is back, and nobody presses anything
        browser.until("window.here === undefined && document.readyState === 'complete'")
        assert browser.evaluate("document.querySelector('form[data-send]') !== null")
    assert [row["value"] for row in read_judgements(study).records()] == [4.0]


def test_failed_save(browser: StudyBrowser, tmp_path: Path) -> None:
    study = make_study(tmp_path, TOML, RECORDS)
    with StudyServer(study) as server:
        browser.served = (server.url,)
        browser.enter(server.links()[0], width=390)
        database = server.site.database
        database._writer.execute("PRAGMA query_only = ON")
        answer(browser, "2")
        browser.until(f"{TOLD}.includes('could not be written')")
        assert browser.evaluate(CHECKED) == "2"
        browser.evaluate("window.here = true")
        database._writer.execute("PRAGMA query_only = OFF")
        browser.until("window.here === undefined && document.readyState === 'complete'")
    assert [row["value"] for row in read_judgements(study).records()] == [2.0]


def test_missing_answer_is_told_beside_the_question(browser: StudyBrowser, tmp_path: Path) -> None:
    study = make_study(tmp_path, TOML, RECORDS)
    with StudyServer(study) as server:
        browser.served = (server.url,)
        browser.enter(server.links()[0])
        browser.tab_to("form[data-send] button[type=submit]")
        browser.press("Enter")
        browser.until("document.querySelector('.error').innerText === 'Please choose one.'")
        assert browser.evaluate("document.activeElement.type") == "radio"  # where to go on
        browser.press("5")
        browser.send()
    assert [row["value"] for row in read_judgements(study).records()] == [5.0]
