"""The status of a study: means by hand, decisions, annotators to look at, metrics, the page."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.chromium import BINARY
from support.studies.study_browser import StudyBrowser, axe_source
from support.studies.study_server import HttpAnnotator, StudyServer, make_study

from nlgauge.annotate import open_database, study_judgements
from nlgauge.annotate.status import study_status
from nlgauge.annotate.web.owner import set_password
from nlgauge.cli import main

PASSWORD = "correct horse battery"
TOML = """
title = "Status"
metrics = ["chrf"]
[[question]]
protocol = "likert"
criterion = "quality"
points = 5
[assignment]
annotators = 3
controls = 0.2
repeats = 0.1
[gold]
every = 10
attempts = 1
"""
WORDS = "one two three four five six seven eight".split()
RECORDS: list[dict[str, Any]] = [
    {"id": f"i{k}", "references": [f"{k} {' '.join(WORDS)}"], "system": s,
     "hypothesis": f"{k} {' '.join(WORDS if s == 'good' else WORDS[::2])} {s}"}
    for k in range(12) for s in ("good", "bad")
] + [
    {"id": f"g{k}", "references": ["x"], "system": "gold", "hypothesis": f"gold {k}",
     "gold": {"quality": 5}} for k in range(4)
]  # fmt: skip


TEXTS = {record["hypothesis"] for record in RECORDS}


def judged(annotator: HttpAnnotator, careless: bool = False) -> str:
    """What a careful annotator says, and what one says who always says the same."""
    text = annotator.texts()[-1]
    if careless:
        return "4"
    if text not in TEXTS:  # a control
        return "1"
    return "2" if text.endswith("bad") else "5"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> str:
    name = make_study(tmp_path_factory.mktemp("s"), TOML, RECORDS)
    with StudyServer(name) as server:
        for person in ("ann", "ben", "careless"):
            annotator = server.annotator(names=[person])
            while annotator.open():
                answer = {"q0.quality": judged(annotator, person == "careless")}
                assert annotator.answer(answer).status == 200
    return name


def test_means_and_decisions(study: str) -> None:
    with open_database(study) as database:
        status = study_status(database)
    (quality,) = status.criteria
    assert quality.judgements == 72
    assert status.progress.answered == status.progress.wanted == 72
    # Two say 5 and 2, the careless one says 4 to all.
    means = {s.system: s.mean for s in quality.systems}
    assert means == pytest.approx({"good": (5 + 5 + 4) / 3, "bad": (2 + 2 + 4) / 3})
    assert all(s.low < s.mean < s.high for s in quality.systems)
    (pair,) = quality.decisions.pairs
    assert abs(pair.difference) == pytest.approx(2.0)
    people = {a.annotator: a for a in quality.live.annotators}
    assert people["ann"].gold_passed == people["ann"].gold > 0
    assert people["careless"].gold_passed == 0
    assert people["careless"].flags
    assert set(people["ben"].flags) <= {"slow", "fast"}  # as the machine is
    assert people["ann"].controls_passed == people["ann"].controls > 0
    assert people["careless"].controls_passed == 0
    found = status.metrics.agreements[0]
    assert (found.metric, found.criterion) == ("chrf", "quality")
    assert found.value > 0.9


def test_the_command_prints_it(study: str, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    page = tmp_path / "page.html"
    assert main(["annotate", "status", study, "-f", "json", "--report", str(page)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["progress"]["answered"] == 72
    assert "Who is better" in page.read_text("utf-8")
    assert main(["annotate", "status", study, "-m", "bleu"]) == 0
    assert "careless" in capsys.readouterr().out


def test_before_anyone_came(tmp_path: Path) -> None:
    with open_database(make_study(tmp_path, TOML, RECORDS)) as database:
        status = study_status(database)
    assert status.criteria == ()
    assert status.progress.answered == 0


@pytest.mark.parametrize("protocol", ["pairwise", "fluency"])
def test_adaptive_allocation_stores_how_probable_it_was(protocol: str, tmp_path: Path) -> None:
    toml = (
        f'title = "t"\n[[question]]\nprotocol = "{protocol}"\n[assignment]\nannotators = 1\n'
        'design = "adaptive"\nmost_tasks = 60\n'
    )
    records = [{"id": k, "system": s, "hypothesis": f"{s} {k}"} for k in range(80) for s in "abz"]
    study = make_study(tmp_path, toml, records)
    with StudyServer(study) as server:
        for _ in range(3):
            annotator = server.annotator()
            while annotator.open():
                if protocol == "fluency":  # z is clearly worse than a and b, which are alike
                    answer = {"q0.fluency": 1 if annotator.texts()[-1][0] == "z" else 4}
                else:
                    options = annotator.options("q0.preference")
                    good = [v for text, v in sorted(options.items()) if text[0] != "z"]
                    answer = {"q0.preference": good[0] if len(good) == 1 else "tie"}
                assert annotator.answer(answer).status == 200
    with open_database(study) as database:
        given = study_judgements(database)
        status = study_status(database)
    assert len(given) == 180
    assert (given.propensity > 0).all() and (given.propensity <= 1).all()
    first, last = given.propensity[:5], given.propensity[-60:]
    assert first == pytest.approx([1 / 3] * 5)
    assert last.max() > 0.39  # what is not decided is drawn more often
    assert status.criteria[0].weighted


@pytest.fixture(scope="module")
def browser() -> Iterator[StudyBrowser]:
    with StudyBrowser() as browser:
        yield browser


@pytest.mark.skipif(
    BINARY is None, reason="no Chromium is installed; on Debian: apt-get install chromium"
)
@pytest.mark.xdist_group("browser")
def test_the_owner_sees_it(study: str, browser: StudyBrowser) -> None:
    with open_database(study) as database:
        set_password(database, PASSWORD)
    with StudyServer(study) as server:
        browser.served = (server.url,)
        browser.errors.clear()
        browser.visit(f"{server.url}/owner", width=390, dark=True)
        browser.tab_to("input[type=password]")
        browser.press(f"text:{PASSWORD}")
        browser.press("Enter")
        browser.until("document.body.innerText.includes('careless')")
        (answer,) = browser.evaluate(
            """[...document.querySelectorAll('section.card')].map((c) => c.innerText)
            .filter((text) => text.startsWith('In short'))"""
        )
        assert "good is better than bad" in answer or "more judgements" in answer
        assert " answers are given, by " in answer
        assert "annotators agree by Krippendorff's α " in answer
        assert browser.errors == []
        assert browser.overflow() <= 0
        assert browser.evaluate("getComputedStyle(document.querySelector('svg .f-ink')).fill") != (
            "rgb(0, 0, 0)"
        )
        if axe_source() is not None:
            assert browser.barriers() == []
