"""Analyses of judgements: the numbers of Kolluru and Gotoh (2005) and Dorr et al. (2005), and hand
calculations.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.command_line import run

from nlgauge.cli import main
from nlgauge.core.facts.tasks import CRITERIA
from nlgauge.data.judgements import Judgements
from nlgauge.errors import DataError, SpecError
from nlgauge.human.comprehension import characters_per_word, cross_comprehension
from nlgauge.human.grades import answers, coverage
from nlgauge.human.relevance import relevance_prediction
from nlgauge.human.scales import QUESTIONS, SCALES, even, likert
from nlgauge.human.statements import STATEMENTS, questionnaire

# Dorr et al. (2005), Table 6: judgements (surrogate / full text), mean ROUGE-1 and time.
TABLE_6 = {
    "HEAD": [(211, 0.2127, 4.6), (27, 0.2115, 7.1), (117, 0.1996, 8.5), (245, 0.2162, 2.5)],
    "HUM": [(251, 0.2696, 4.2), (35, 0.2725, 4.6), (77, 0.2586, 13.8), (237, 0.2715, 1.9)],
}
CELLS = [("relevant", "relevant"), ("relevant", "no"), ("no", "relevant"), ("no", "no")]


def subjects() -> list[dict[str, Any]]:
    rows = []
    for kind, cells in TABLE_6.items():
        for (surrogate, full), (count, rouge, seconds) in zip(CELLS, cells, strict=True):
            for k in range(count):
                who = {"item": f"{kind}{surrogate}{full}{k}", "criterion": f"event {k % 2}"}
                said = {"annotator": "s1", **who}
                rows += [
                    {**said, "system": kind, "label": surrogate, "seconds": seconds},
                    {**said, "system": "full", "label": full, "seconds": 13.38},
                    {**who, "system": "full", "annotator": "gold", "label": "relevant"},
                    {"item": who["item"], "system": kind, "criterion": "rouge-1", "value": rouge},
                ]
    return rows


def test_relevance_prediction_of_the_paper() -> None:
    result = relevance_prediction(Judgements.build(subjects()))
    head, hum = result.surrogates
    assert (head.judged, hum.judged) == (600, 600)
    cells = (head.both, head.false_positives, head.false_negatives, head.neither)
    assert cells == (211, 27, 117, 245)
    assert head.prediction == 0.76
    assert hum.prediction == pytest.approx(0.8133, abs=5e-5)
    assert [head.kappa, hum.kappa] == pytest.approx([0.529, 0.628], abs=5e-4)
    assert head.scores["rouge-1"]["all"] == pytest.approx(0.2115, abs=5e-5)
    assert hum.scores["rouge-1"]["all"] == pytest.approx(0.2691, abs=5e-5)
    assert head.scores["rouge-1"]["NonRel/Rel"] == pytest.approx(0.1996)
    assert [round(head.seconds, 1), round(hum.seconds, 1)] == [4.6, 4.5]
    assert head.false_negatives / hum.false_negatives == pytest.approx(1.52, abs=5e-3)
    assert result.full_seconds == pytest.approx(13.38)
    assert head.gold_agreement == pytest.approx((211 + 27) / 600)
    assert result.full_gold_agreement == pytest.approx((211 + 117 + 251 + 77) / 1200)
    assert len(result.events) == 4
    assert sum(table.judged for table in result.events) == 1200


def test_time_saved() -> None:
    row = {"item": "d", "annotator": "s", "value": 1}
    rows = [row | {"system": "HEAD", "seconds": 4.60}, row | {"system": "full", "seconds": 13.38}]
    result = relevance_prediction(Judgements.build(rows))
    assert result.surrogates[0].time_saved == pytest.approx(0.656, abs=5e-4)


def test_relevance_needs_binary_judgements_and_the_full_text() -> None:
    row = {"item": "d", "annotator": "s", "system": "HEAD", "label": "maybe"}
    with pytest.raises(DataError, match=r"'full'.*--full"):
        relevance_prediction(Judgements.build([row]))
    with pytest.raises(DataError, match="'maybe' says neither"):
        relevance_prediction(Judgements.build([row, row | {"system": "full"}]))
    rows = [row | {"label": "no"}, row | {"system": "full", "annotator": "t", "label": "no"}]
    result = relevance_prediction(Judgements.build(rows))
    assert (result.unpaired, result.surrogates[0].judged) == (1, 0)
    assert np.isnan(result.surrogates[0].prediction)


def crossed(summary: str, **labels: str) -> list[dict[str, Any]]:
    """Answers from one summary; labels by author of the questions."""
    return [
        {"item": f"{author}{k}", "criterion": author, "system": summary, "label": label}
        for author, given in labels.items()
        for k, label in enumerate(given)
    ]


def test_cross_comprehension_of_the_paper() -> None:
    rows = crossed("A", B="NRIP", C="RR", D="RRN", A="RRRR")
    result = cross_comprehension(Judgements.build(rows))
    (a,) = result.summaries
    assert a.answers == 9
    shares = [a.relevant, a.partial, a.irrelevant, a.not_found]
    assert shares == pytest.approx([5 / 9, 1 / 9, 1 / 9, 2 / 9])
    assert a.at_least_partial == pytest.approx(0.667, abs=5e-4)
    assert result.own == 4
    assert [q.name for q in result.questionnaires] == ["B", "C", "D"]
    assert result.questionnaires[0].relevant == 0.25


def test_machine_and_human_summary_of_the_paper() -> None:
    rows = crossed("B", A="RRN") + crossed("machine", A="RNN") + crossed("C", D="NNNN")
    result = cross_comprehension(Judgements.build(rows), machines=["machine"])
    (pair,) = result.machines
    assert pair.human.relevant == pytest.approx(2 / 3)
    assert pair.machine.relevant == pytest.approx(1 / 3)
    assert pair.human.answers == 3  # only the questions that the machine got
    assert "machine" not in [s.name for s in result.summaries]
    with pytest.raises(SpecError, match="'robot'"):
        cross_comprehension(Judgements.build(rows), machines=["robot"])


def test_shares_found_of_the_paper() -> None:
    found = {"A": 71, "B": 61, "C": 54, "D": 73}
    rows = [r for name, n in found.items() for r in crossed(name, X="R" * n + "N" * (100 - n))]
    result = cross_comprehension(Judgements.build(rows))
    shares = [s.found for s in result.summaries]
    assert shares == pytest.approx([0.71, 0.61, 0.54, 0.73])
    assert np.mean(shares) == pytest.approx(0.6475)
    assert round(result.overall.not_found, 2) == 0.35


@pytest.mark.parametrize(
    ("words", "characters", "expected"),
    [(16, 113, 6.1), (17, 99, 4.9), (12, 81, 5.8), (21, 131, 5.3)],
)
def test_characters_per_word_of_the_paper(words: int, characters: int, expected: float) -> None:
    letters = characters - (words - 1)
    text = " ".join(["x"] * (words - 1) + ["x" * (letters - words + 1)])
    assert len(text) == characters
    assert characters_per_word(text) == pytest.approx(expected, abs=0.05)


def grade(**by: str) -> dict[str, Any]:
    return dict(by)


def test_coverage_by_hand() -> None:
    rows = [
        grade(item="1", system="s", criterion="d1", annotator="p", label="all"),
        grade(item="1", system="s", criterion="d1", annotator="q", label="some"),
        grade(item="2", system="s", criterion="d1", annotator="p", label="hardly any"),
        grade(item="3", system="s", criterion="d2", annotator="p", label="Most"),
        grade(item="1", system="t", criterion="d1", annotator="p", label="none"),
    ]
    result = coverage(Judgements.build(rows))
    # d1: unit 1 is (1 + .5) / 2, unit 2 .25; d2: .75; then the mean of both summaries.
    assert [(g.system, g.score) for g in result.systems] == [("s", 0.625), ("t", 0)]
    assert {(g.system, g.part): g.score for g in result.parts} == {
        ("s", "d1"): 0.5,
        ("s", "d2"): 0.75,
        ("t", "d1"): 0,
    }
    with pytest.raises(DataError, match=r"grade 'lots'.*one of all, most"):
        coverage(Judgements.build([grade(item="1", system="s", label="lots")]))


def test_three_way_answers_by_hand() -> None:
    labels = ["correct", "correct", "somehow related", "wrong"]
    rows = [
        grade(item=str(i), system="s", criterion="first", label=label)
        for i, label in enumerate(labels)
    ]
    # The second guideline takes flooded answers for related only.
    rows += [
        r | {"criterion": "second", "label": r["label"].replace("correct", "related")} for r in rows
    ]
    first, second = answers(Judgements.build(rows)).systems
    assert (first.part, first.score) == ("first", 2.5 / 4)
    assert (second.part, second.score) == ("second", 1.5 / 4)
    assert first.shares == {"correct": 0.5, "related": 0.25, "wrong": 0.25}
    strict = answers(Judgements.build(rows), weights={"related": 0})
    assert strict.systems[0].score == 0.5
    with pytest.raises(SpecError, match="no grade 'good'"):
        answers(Judgements.build(rows), weights={"good": 1})


def answer(annotator: str, key: str, value: int) -> dict[str, Any]:
    return {"item": "m", "system": "s", "annotator": annotator, "criterion": key, "value": value}


def test_questionnaire_by_hand() -> None:
    assert len(STATEMENTS) == 12
    assert sum(s.reversed for s in STATEMENTS) == 5
    rows = [answer("p", "concise", 6), answer("p", "repetitive", 2)]
    rows += [answer("q", "concise", 3), answer("q", "repetitive", 5), answer("q", "clear", 7)]
    rows += [answer("r", "concise", 5), answer("r", "repetitive", 4)]
    result = questionnaire(Judgements.build(rows))
    means = {s.statement: s.mean for s in result.statements}
    assert means == pytest.approx({"concise": 14 / 3, "repetitive": 11 / 3, "clear": 7})
    groups = {g.group: g.mean for g in result.groups}
    assert groups["informativeness"] == pytest.approx((6 + 6 + 3 + 3 + 5 + 4) / 6)
    twin = next(c for c in result.consistency if c.statement == "concise")
    assert twin.answers == 3
    assert twin.correlation == pytest.approx(np.corrcoef([6, 3, 5], [6, 3, 4])[0, 1])
    with pytest.raises(DataError, match="answer 6 is not on the scale from 1 to 5"):
        questionnaire(Judgements.build(rows), points=5)
    with pytest.raises(DataError, match="no statement 'funny'"):
        questionnaire(Judgements.build([answer("p", "funny", 1)]))


def test_scales() -> None:
    assert SCALES["likert(5)"].accepts(5)
    assert not SCALES["likert(5)"].accepts(0)
    assert not SCALES["likert(5)"].accepts(2.5)
    assert SCALES["continuous"].accepts(99.5)
    assert SCALES["pairwise"].accepts(0.5)
    assert SCALES["rank"].accepts(12)
    assert not SCALES["binary"].accepts(2)
    with pytest.raises(SpecError, match="even number"):
        even(5)
    with pytest.raises(DataError, match=r"annotator 'p': 8 is not on the scale likert\(7\)"):
        likert(7).check(Judgements.build([answer("p", "c", 8)]))
    assert set(QUESTIONS) <= set(CRITERIA)
    assert QUESTIONS["understandability"].scale.high == 7


def save(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.mark.parametrize(
    ("name", "rows", "options", "shown"),
    [
        ("relevance", subjects()[:40], (), "1.000"),
        ("comprehension", crossed("A", B="NRIP", C="RR", D="RRN"), (), "0.667"),
        ("coverage", [grade(item="1", system="s", label="most")], (), "0.750"),
        (
            "answers",
            [grade(item="1", system="s", label="related")],
            ("--weights", "related=.3"),
            ".300",
        ),
        ("meeting", [answer("p", "concise", 6)], (), "6.000"),
        ("systems", [answer("p", "c", 4)], ("--scale", "1", "5"), "0.750"),
        (
            "ranks",
            [
                {"item": str(i), "system": "a", "against": "b", "value": int(i < 3)}
                for i in range(4)
            ],
            ("-cin", "20"),
            "0.549",  # half of ln 3
        ),
    ],
)
def test_commands(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    rows: list[dict[str, Any]],
    options: tuple[str, ...],
    shown: str,
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    path = save(tmp_path / "r.jsonl", rows)
    text = run(capsys, "analyse", name, path, *options)
    assert shown in text
    for format in ("json", "tsv", "markdown", "latex"):
        assert run(capsys, "analyse", name, path, *options, "-f", format)


def test_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path / "r.jsonl", [grade(item="1", system="s", label="most")])
    assert main(["analyse", "answers", path]) == 3
    assert "one of correct, related, wrong" in capsys.readouterr().err
    assert main(["analyse", "coverage", path, "--weights", "most"]) == 2
    assert "expected NAME=NUMBER" in capsys.readouterr().err
    assert main(["analyse", "systems", path]) == 3
    assert "no ratings" in capsys.readouterr().err
