"""`nlgauge compare`: what it prints, and the exit code of its gate."""

import json
from pathlib import Path

import numpy as np
import pytest
from support.command_line import prepare, run, started, write

import nlgauge
from nlgauge.cli import main
from nlgauge.run.comparison import compare

REFS = [f"the {w} sat on the old mat in the hall" for w in "abcdefghijklmnop"]
GOOD = [r.replace("hall", "room") if i % 4 == 0 else r for i, r in enumerate(REFS)]
POOR = [r.replace("old mat", "new rug") for r in REFS]
FAST = ("--trials", "500", "--resamples", "100")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = prepare(tmp_path, monkeypatch)
    for name, lines in {"ref": REFS, "good": GOOD, "poor": POOR, "twin": GOOD}.items():
        write(folder / f"{name}.txt", lines)
    rows = [
        f"{system}\t{i + 1}\t{0.9 - 0.3 * (system == 'poor') + 0.01 * ((i * 7) % 5)}"
        for system in ("poor", "good", "twin")
        for i in range(len(REFS))
    ]
    write(folder / "comet.tsv", ["system\tid\tcomet", *rows])
    return folder


def test_text(capsys) -> None:
    out = run(
        capsys, "compare", "ref.txt", "-i", "good.txt", "poor.txt", "twin.txt", "-m", "bleu", "ter",
        "--anova", *FAST,
    )  # fmt: skip
    for text in (
        "Differences by bleu ↑",
        "16 segments; [low, high]: 95 % percentile bootstrap interval, 100 resamples, seed 12345",
        "p: approximate randomisation, 500 trials, seed 12345; two-sided, significant at 0.05",
        "6 comparisons at 0.05 each",
        "0.2649",  # 1 − .95⁶
        "no significant difference",
        "Tukey p",
        "Clusters by ter ↓",
        "1–2",
    ):
        assert text in out
    assert "nan" not in out


def test_very_many_pairs_are_shown_as_clusters_unless_asked_for(capsys, tmp_path: Path) -> None:
    """Eight systems are 28 pairs, nine are 36."""
    for k in range(9):
        write(tmp_path / f"sys{k}.txt", [r.replace("old", "new") if k % 2 else r for r in REFS])
    files = ["ref.txt", "-i", *(f"sys{k}.txt" for k in range(8)), "-m", "ter", "-q", *FAST]
    out = run(capsys, "compare", *files)
    assert "Differences by ter" in out and "--all" not in out
    files.insert(10, "sys8.txt")
    out = run(capsys, "compare", *files)
    assert "Clusters by ter" in out and "Differences by ter" not in out
    assert "the differences of 36 pairs: --all; everything: -f json, --report FILE" in out
    assert "36 comparisons at 0.05 each" in out
    for options in (["--all"], ["-f", "tsv"], ["--baseline", "sys0"]):
        assert "Differences by ter" in run(capsys, "compare", *files, *options)
    table = nlgauge.score({f"s{k}": GOOD for k in range(9)}, REFS, metrics="ter")
    printed = str(compare(table, trials=50, resamples=50))
    assert printed.endswith("the differences of 36 pairs: to_pandas(), report(path)")


def test_json_is_what_the_library_returns(capsys) -> None:
    out = json.loads(
        run(
            capsys, "compare", "ref.txt", "-i", "good.txt", "poor.txt", "-m", "bleu", "ter",
            "--baseline", "poor", "--correction", "holm", "--interval", "bca", "-f", "json", *FAST,
        )
    )  # fmt: skip
    table = nlgauge.score({"good": GOOD, "poor": POOR}, REFS, metrics=["bleu", "ter"])
    found = compare(
        table, baseline="poor", correction="holm", interval="bca", trials=500, resamples=100
    )
    for ours, written in zip(found.differences, out["differences"], strict=True):
        assert (ours.system, ours.other) == (written["system"], written["other"])
        assert (ours.p_value, ours.adjusted) == (written["p_value"], written["adjusted"])
        assert ours.interval.low == written["interval"]["low"]
    assert out["rankings"] == []


def test_scores_alone_and_beside_texts(capsys) -> None:
    alone = run(capsys, "compare", "--scores", "comet.tsv", "-f", "tsv", *FAST)
    assert "# Differences by comet ↑" in alone
    line = next(line for line in alone.split("\n") if line.startswith("poor\tgood\t"))
    assert float(line.split("\t")[2]) == pytest.approx(-0.3)
    beside = run(
        capsys, "compare", "ref.txt", "-i", "good.txt", "poor.txt", "--scores", "comet.tsv",
        "-f", "markdown", *FAST,
    )  # fmt: skip
    assert "Differences by bleu ↑" in beside
    assert "Differences by comet ↑" in beside
    assert "given|name:comet" in beside
    turned = run(capsys, "compare", "--scores", "comet.tsv", "--lower-is-better", "comet", *FAST)
    assert "comet ↓" in turned


def test_segments_of_score_come_back(capsys) -> None:
    run(
        capsys,
        "score",
        "ref.txt",
        "-i",
        "good.txt",
        "poor.txt",
        "-m",
        "ter",
        "--segments",
        "s.jsonl",
    )
    out = run(capsys, "compare", "--scores", "s.jsonl", *FAST)
    assert "Differences by ter ↓" in out


def gate(capsys, *arguments: str) -> tuple[int, str]:
    code = main(["compare", "ref.txt", "-i", "good.txt", "poor.txt", "twin.txt", *arguments, *FAST])
    return code, capsys.readouterr().err


def test_gate(capsys) -> None:
    assert gate(capsys, "--fail-if-worse", "good", "poor") == (0, "")
    assert gate(capsys, "--fail-if-worse", "twin", "good") == (0, "")
    code, said = gate(capsys, "-m", "bleu", "ter", "--fail-if-worse", "poor", "good")
    assert code == 10
    assert "poor is significantly worse than good by bleu" in said
    assert "by ter" in said
    # A difference that is there, but not significant at this level, is let pass.
    code, said = gate(capsys, "--fail-if-worse", "poor", "good", "--alpha", "0.0001", "-q")
    assert (code, said) == (0, "")


def test_gate_in_a_process() -> None:
    done = started(
        "compare", "ref.txt", "-i", "good.txt", "poor.txt", "--fail-if-worse", "poor", "good", *FAST
    )
    assert done.returncode == 10


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([], 2, "nothing to compare"),
        (["-i", "good.txt"], 2, "nothing to compare"),
        (["--scores", "comet.tsv", "-m", "bleu"], 2, "-m and -i need references"),
        (["ref.txt", "-i", "good.txt"], 3, "only one system (good)"),
        (["ref.txt", "-i", "good.txt", "poor.txt", "--baseline", "x"], 2, "no system 'x'"),
        (["ref.txt", "-i", "good.txt", "poor.txt", "--lower-is-better", "x"], 2, "--scores"),
        (["ref.txt", "-i", "good.txt", "sysA.txt"], 3, "3"),
        (["ref.txt", "-i", "good.txt", "poor.txt", "--scores", "few.tsv"], 3, "have 16"),
    ],
)
def test_errors(arguments: list[str], code: int, says: str, files: Path, capsys) -> None:
    write(files / "few.tsv", ["system\tid\tcomet", "good\t1\t1", "poor\t1\t1"])
    assert main(["compare", *arguments]) == code
    assert says in capsys.readouterr().err


def test_systems_that_cannot_be_compared_are_refused_before_they_are_scored(
    monkeypatch, capsys
) -> None:
    monkeypatch.setattr("nlgauge.run.scoring.score_suite", lambda *_, **__: pytest.fail("scored"))
    files = ["ref.txt", "-i", "good.txt", "poor.txt"]
    assert main(["compare", *files, "--baseline", "x"]) == 2
    assert main(["compare", *files[:-1]]) == 3
    monkeypatch.setattr("nlgauge.run.comparison_plan.MOST_PAIRS", 2)
    assert main(["compare", *files, "twin.txt"]) == 3
    assert "3 systems make 3 pairs; no more than 2 are compared" in capsys.readouterr().err
    assert main(["compare", *files, "twin.txt", "--baseline", "twin", "--anova"]) == 3


def test_numbers_do_not_depend_on_threads(capsys) -> None:
    outputs = {
        run(
            capsys, "compare", "ref.txt", "-i", "good.txt", "poor.txt", "twin.txt", "-m", "chrf",
            "-f", "json", "--threads", str(n), *FAST,
        )
        for n in (1, 2, 5)
    }  # fmt: skip
    assert len(outputs) == 1
    assert np.isfinite(json.loads(outputs.pop())["differences"][0]["p_value"])
