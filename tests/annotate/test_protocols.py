"""Every protocol over HTTP: what is stored equals values computed by hand; nonsense is refused."""

from pathlib import Path
from typing import Any

import pytest
from support.studies.protocol_cases import CASES, Case
from support.studies.study_server import StudyServer, make_study

from nlgauge.annotate import open_database, study_answers
from nlgauge.annotate.design.study_file import parse_study
from nlgauge.annotate.protocols.registry import PRESETS, PROTOCOLS
from nlgauge.data.judgements import Judgements
from nlgauge.io import read_judgements

NONE_IS_AN_ANSWER = ("mqm", "nuggets", "content-units", "factoids")


def said(judgements: Judgements) -> list[tuple[Any, ...]]:
    return [
        (r.get("item"), r.get("system"), r.get("criterion"), r.get("value", r.get("label")),
         r.get("against"))
        for r in judgements.records()
    ]  # fmt: skip


def by_text(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(rows, key=str)


def same(found: list[tuple[Any, ...]], expected: list[tuple[Any, ...]]) -> None:
    assert len(found) == len(expected), found
    for one, other in zip(by_text(found), by_text(expected), strict=True):
        assert one[:3] + one[4:] == other[:3] + other[4:]
        assert one[3] == (other[3] if isinstance(other[3], str) else pytest.approx(other[3], 1e-12))


def test_every_protocol_has_a_case() -> None:
    assert set(CASES) == {*PROTOCOLS, *PRESETS}


@pytest.mark.parametrize("name", CASES)
def test_answers_become_these_judgements(name: str, tmp_path: Path) -> None:
    case: Case = CASES[name]
    study = make_study(tmp_path, case.toml, case.records)
    with StudyServer(study) as server:
        roles = {"role": "author"} if name == "cross-comprehension" else {}
        annotator = server.annotator(**roles)
        assert annotator.open(), annotator.page
        if name not in NONE_IS_AN_ANSWER:
            empty = annotator.answer({})
            assert empty.status == 422, empty.text
            assert empty.json()["errors"]
        if name != "cross-comprehension":  # which takes any text
            wrong = annotator.answer(dict.fromkeys(case.fields, "<script>"))
            assert wrong.status == 422, wrong.text
        annotator.open()
        done = annotator.answer(case.fields)
        assert done.status == 200, done.text
    if case.expected:
        same(said(read_judgements(study)), case.expected)
    with open_database(study) as database:
        assert len(list(study_answers(database))) >= 1


@pytest.mark.parametrize("name", CASES)
def test_gold_can_name_every_criterion_that_is_judged(name: str) -> None:
    case = CASES[name]
    (question,) = parse_study(case.toml).questions
    (record, *_) = case.records
    asked = set(question.criteria(record["id"], record))
    assert {criterion for _, _, criterion, _, _ in case.expected} <= asked


def test_a_short_line_has_a_hundred_steps(tmp_path: Path) -> None:
    toml = 'title = "t"\n[[question]]\nprotocol = "slider"\ncriterion = "c"\nlow = -1\nhigh = 1\n'
    study = make_study(tmp_path, toml, [{"id": 1, "system": "s", "hypothesis": "x"}])
    with StudyServer(study) as server:
        annotator = server.annotator()
        annotator.open()
        assert 'step="0.02"' in annotator.page
        refused = annotator.answer({"q0.c": "0.03"})
        said = "Please give a number from -1 to 1 in steps of 0.02."
        assert refused.json()["errors"] == {"q0.c": said}
        for value in ("-0.98", "0.14"):
            assert annotator.answer({"q0.c": value}).status == 200
            annotator.get("/work?at=1")
    assert [row["value"] for row in read_judgements(study).records()] == [0.14]


@pytest.mark.parametrize("said", ["inf", "1e999", "nan", "0", "-3", "many"])
def test_no_number_for_a_magnitude(said: str, tmp_path: Path) -> None:
    case = CASES["magnitude-estimation"]
    with StudyServer(make_study(tmp_path, case.toml, case.records)) as server:
        annotator = server.annotator()
        annotator.open()
        refused = annotator.answer({"q0.grammar": said})
    assert refused.status == 422
    assert refused.json()["errors"] == {"q0.grammar": "Please give a number above 0."}
