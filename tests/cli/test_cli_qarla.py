"""`nlgauge qarla` and `nlgauge orange`."""

import json
from pathlib import Path

import pytest
from support.command_line import HYPS, REFS1, REFS2, WORSE, run, write

from nlgauge.cli import main

SIMILARITIES = str(Path(__file__).parents[1] / "golden" / "stats" / "similarities.json")
TEXTS = ["r1", "r2", "r3", "-i", "a", "b"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    third = ["A cat sat on the mat.", "The dog ran in the park.", "It rains here a lot."]
    texts = {"r1": REFS1, "r2": REFS2, "r3": third, "a": HYPS, "b": WORSE}
    for name, lines in texts.items():
        write(tmp_path / name, lines)
    monkeypatch.chdir(tmp_path)


def test_systems_metrics_and_sets(capsys: pytest.CaptureFixture[str]) -> None:
    printed = run(capsys, "qarla", *TEXTS, "-m", "rouge-1", "chrf", "ter", "--set", "chrf", "ter")
    for part in ("QUEEN of systems", "Sets of metrics", "chrf + ter", "all 7 sets", "JACK:"):
        assert part in printed
    assert "Clusters" not in printed
    clustered = ["-m", "rouge-1", "chrf", "ter", "--clusters", "2"]
    assert "Clusters" in run(capsys, "qarla", *TEXTS, *clustered)


def test_json_of_a_file_of_similarities(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["qarla", "--similarities", SIMILARITIES, "--profile", "asiya", "-f", "json"]
    found = json.loads(run(capsys, *arguments, "--set", "m1", "m2", "m3"))
    assert found["sets"][0]["king"] == 0.62  # Asiya's
    assert found["sets"][0]["jack"] is None
    assert found["segments"] == {"given": 25, "used": 25}
    assert found["sets_tried"] == 7
    only = json.loads(run(capsys, *arguments, "-m", "m2"))
    assert [one["metrics"] for one in only["metrics"]] == [["m2"]]


def test_orange(capsys: pytest.CaptureFixture[str]) -> None:
    printed = run(capsys, "orange", *TEXTS, "-m", "rouge-1", "ter", "-f", "tsv")
    assert printed.startswith("metric\tORANGE ↓\t")
    assert len(printed.splitlines()) == 3
    found = json.loads(run(capsys, "orange", "--similarities", SIMILARITIES, "-f", "json"))
    assert found["metrics"]["m1"]["probability"] == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (["qarla"], "give reference files", 2),
        (["orange", "r1", "-i", "a", "--similarities", "x"], "one or the other", 2),
        (["qarla", "r1", "r2", "-i", "a", "-m", "chrf"], "none has more than 2", 3),
        (["qarla", "r1", "-i", "a", "-m", "chrf"], "none has more than 1", 3),
        (["orange", "r1", "-i", "a"], "two references or more", 3),
        (["qarla", *TEXTS, "-m", "chrf", "--set", "ter"], "no similarity by 'ter'", 2),
        (["qarla", *TEXTS, "-m", "chrf", "--clusters", "0"], "clusters=0", 2),
    ],
)
def test_refusals(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str, code: int
) -> None:
    assert main(arguments) == code
    assert message in capsys.readouterr().err
