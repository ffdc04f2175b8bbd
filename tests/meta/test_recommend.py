"""Recommendations: what the paper and the survey say, and measured correlations."""

import json
import shlex
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from support.command_line import run
from support.judged_records import paired, records

from nlgauge import SpecError
from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.io.judgements.judged_outputs import read_outputs
from nlgauge.meta.choose.measured import measure
from nlgauge.meta.choose.recommend import recommend
from nlgauge.meta.choose.taxonomy import survey_names, survey_role


@pytest.mark.parametrize(
    ("task", "criterion", "member"),
    [  # what Soricut and Brill predict
        ("mt", "fluency", "aev(alpha=1)"),
        ("mt", "adequacy", "aev(alpha=0)"),
        ("summarization", "coverage", "aev(max_order=1,alpha=0)"),
        ("qa", "correctness", "aev(max_order=2)"),
    ],
)
def test_the_plane(task: str, criterion: str, member: str) -> None:
    found = recommend(task, criterion)
    assert found.member == member
    assert registry.metric(member).info.name == "aev"


def test_the_survey() -> None:
    assert survey_role("bleu", "MT") == "proposed" and survey_role("bleu", "AS") == "adopted"
    assert survey_role("parent", "D2T") == "proposed" and survey_role("gtm", "DG") is None
    # Column sums of table 3: marks for question generation are BLEU, NIST, METEOR, the five
    # ROUGE and the Q-metrics.
    marked = [name for name in survey_names() if survey_role(name, "QG")]
    assert len(marked) == 9


def test_candidates_that_are_made_for_the_criterion_come_first() -> None:
    found = recommend("summarization", "coverage")
    first, *rest = found.candidates
    assert first.name == "rouge-n" and first.fits and first.role == "proposed"
    assert "table 3" in first.reason and "informativeness" in first.reason
    assert "moverscore" not in found.elsewhere and not found.measured
    assert "bleurt" not in recommend("mt", "adequacy").elsewhere
    fits = [c.fits for c in found.candidates]
    assert fits == sorted(fits, reverse=True)
    bleu = next(c for c in rest if c.name == "bleu")
    assert bleu.role == "adopted"
    assert recommend("d2t", "coverage").candidates[0].needs == ("references", "tables")


def test_every_task_has_an_answer() -> None:
    for task in ("mt", "as", "qa", "qg", "d2t", "dg", "ic", "nlg"):
        assert recommend(task).candidates
    assert recommend("dialogue", "engagingness").region is None


@pytest.mark.parametrize(
    ("task", "criterion", "message"),
    [
        ("sumarisation", None, "did you mean summarisation"),
        ("as", "coverge", "did you mean coverage"),
        ("mt", "zap", "judged by fluency, adequacy"),
    ],
)
def test_unknown_names(task: str, criterion: str | None, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        recommend(task, criterion)
    assert recommend("mt", "zap", guideline="fluency").region is not None


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "judged.jsonl"
    rows = records(systems=6, items=12)
    file.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    return file


@pytest.mark.parametrize("level", ["segment", "system"])
def test_measured_correlations(path: Path, level) -> None:
    given = paired(path, "wer")
    (found,) = measure(given, "adequacy", level=level, resamples=300)
    rows = records(systems=6, items=12)
    human = np.array([r["human"]["adequacy"] for r in rows])
    wer = registry.metric("wer")
    if level == "segment":
        scores = [wer.sentence_score(r["hypothesis"], r["references"]).value for r in rows]
    else:
        human = human.reshape(12, 6).mean(axis=0)
        parts = [[r for r in rows if r["system"] == f"s{k}"] for k in range(6)]
        scores = [
            wer.corpus_score([r["hypothesis"] for r in p], [[r["references"][0] for r in p]]).value
            for p in parts
        ]
    # Fewer errors and better ratings agree: the sign is turned.
    assert found.value == pytest.approx(-stats.pearsonr(scores, human)[0])
    assert found.low <= found.value <= found.high and found.points == len(scores)


def test_measured_recommendation(path: Path, capsys) -> None:
    outputs, judgements = read_outputs(path)
    found = recommend(
        "mt", "adequacy", outputs=outputs, judgements=judgements, metrics=["bleu", "wer"]
    )
    assert {m.name for m in found.measured} == {"bleu", "wer", "aev(alpha=0)"}
    values = [m.value for m in found.measured]
    assert values == sorted(values, reverse=True) and found.measured[0].near_best
    out = run(capsys, "recommend", str(path), "--task", "mt", "--criterion", "adequacy")
    assert "measured" in out and "bootstrap over items" in out
    record = json.loads(run(capsys, "recommend", "--task", "mt", "-f", "json"))
    assert record["task"] == "MT" and record["criterion"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--task", "mt"], "the ratings have: fluency, adequacy"),
        (["--task", "mt", "--criterion", "fun"], "no criterion 'fun'"),
        (["--task", "mt", "--criterion", "fluency", "-m", "parent"], "parent needs tables"),
        (["--task", "mt", "--criterion", "fluency", "--resamples", "0"], "at least 1"),
    ],
)
def test_wrong_use(path: Path, arguments: list[str], message: str, capsys) -> None:
    assert main(["recommend", str(path), *arguments]) in (2, 3)
    assert message in capsys.readouterr().err


def test_metrics_without_data(capsys) -> None:
    assert main(["recommend", "--task", "mt", "-m", "bleu"]) == 2
    assert "name the data file" in capsys.readouterr().err


def test_the_page_runs(tmp_path: Path, monkeypatch, capsys) -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "guide" / "plane.md").read_text(encoding="utf-8")
    (tmp_path / "examples").symlink_to(root / "examples")
    monkeypatch.chdir(tmp_path)
    commands = [line for line in page.splitlines() if line.startswith("    nlgauge ")]
    assert len(commands) >= 7
    for command in commands:
        assert run(capsys, *shlex.split(command)[1:])
    exec(page.partition("```python\n")[2].partition("```")[0], {})
    assert capsys.readouterr().out.startswith("fluency Member(")
