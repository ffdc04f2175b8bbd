"""A study from its file to judgements: three protocols, over HTTP, against hand-computed values."""

import json
from pathlib import Path

import pytest
from support.studies.study_server import StudyServer, make_study

from nlgauge.annotate import study_answers, study_judgements
from nlgauge.cli import main
from nlgauge.io import read_judgements

TOML = """
title = "News, in other words"
show = ["source"]
[[question]]
protocol = "fluency"
[[question]]
protocol = "slider"
criterion = "adequacy"
[[question]]
protocol = "pairwise"
[assignment]
annotators = 2
"""
RECORDS = [
    {"id": i, "source": f"Der Hund {i} schläft.", "system": s, "hypothesis": f"{s}{i}: a dog."}
    for i in (1, 2)
    for s in ("north", "south")
]
# What annotators would say: north is flawless, south is worse for item 2.
FLUENCY = {"north1": 5, "north2": 5, "south1": 4, "south2": 2}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("study")
    name = make_study(folder, TOML, RECORDS)
    with StudyServer(name) as server:
        for extra in (0, 1):
            annotator = server.annotator(names=[f"ann{extra}"])
            while annotator.open():
                if "Which text is better?" in annotator.page:
                    options = annotator.options("q0.preference")
                    (north,) = [v for text, v in options.items() if text.startswith("north")]
                    tie = "north1: a dog." in options
                    answer = {"q0.preference": "tie" if tie else north}
                else:
                    key = annotator.texts()[-1].partition(":")[0]
                    answer = {
                        "q0.fluency": FLUENCY[key] - extra * (key == "south1"),
                        "q1.adequacy": 10 * FLUENCY[key] + extra,
                    }
                done = annotator.answer(answer)
                assert done.status == 200
                assert done.json()["saved"]
                assert done.json()["next"] == "/work"
            assert "completion code" in annotator.page
    return name


def test_every_task_is_judged_as_often_as_asked_for(study: str) -> None:
    judgements = read_judgements(study)
    assert len(judgements) == 2 * (4 + 4 + 2)
    counts: dict[tuple[str, str, str], int] = {}
    for row in judgements.ratings().records():
        key = (row["item"], row["system"], row["criterion"])
        counts[key] = counts.get(key, 0) + 1
    assert set(counts.values()) == {2}
    assert len(counts) == 8


def test_values_are_what_was_said(study: str) -> None:
    rows = read_judgements(study).records()

    def mean(system: str, criterion: str) -> float:
        values = [r["value"] for r in rows if (r["system"], r["criterion"]) == (system, criterion)]
        return sum(values) / len(values)

    assert mean("north", "fluency") == 5
    assert mean("south", "fluency") == (4 + 2 + 3 + 2) / 4
    assert mean("north", "adequacy") == (50 + 50 + 51 + 51) / 4
    assert mean("south", "adequacy") == (40 + 20 + 41 + 21) / 4
    compared = sorted((r["item"], r["value"]) for r in rows if "against" in r)
    assert compared == [("1", 0.5), ("1", 0.5), ("2", 1.0), ("2", 1.0)]
    assert {r["against"] for r in rows if "against" in r} == {"south"}
    assert all(0 < r["seconds"] < 60 for r in rows)
    assert {r["annotator"] for r in rows} == {"ann0", "ann1"}
    assert {r["protocol"] for r in rows} == {"likert", "slider", "pairwise"}


def test_export_and_the_database_say_the_same(study: str, tmp_path: Path) -> None:
    out, full = tmp_path / "j.jsonl", tmp_path / "a.jsonl"
    assert main(["annotate", "export", study, "-o", str(out), "--answers", str(full)]) == 0
    assert read_judgements(out).records() == read_judgements(study).records()
    answers = [json.loads(line) for line in full.read_text("utf-8").splitlines()]
    assert len(answers) == 2 * (4 + 2)
    assert {answer["kind"] for answer in answers} == {"main"}
    assert all(answer["counts"] for answer in answers)


def test_other_commands_read_the_database(study: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agree", study, "-cin", "50", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (fluency,) = [c for c in found["criteria"] if c["criterion"] == "fluency"]
    assert fluency["ratings"] == 8
    assert main(["analyse", "ranks", study, "-c", "preference", "--prior", "1", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["systems"][0]["system"] == "north"
    outputs = str(Path(study).parent / "outputs.jsonl")
    refs = Path(study).parent / "judged.jsonl"
    lines = [json.loads(line) for line in Path(outputs).read_text("utf-8").splitlines()]
    refs.write_text(
        "".join(json.dumps({**line, "reference": line["source"]}) + "\n" for line in lines), "utf-8"
    )
    command = ["meta", str(refs), "--judgements", study, "-m", "chrf", "--criterion", "fluency"]
    assert main([*command, "-f", "json", "-q"]) == 0


def test_answers_in_full(study: str) -> None:
    from nlgauge.annotate import open_database

    with open_database(study) as database:
        answers = list(study_answers(database))
        assert len(study_judgements(database)) == 20
    assert all(set(a) >= {"annotator", "answers", "position", "seconds"} for a in answers)
