"""Options that sacreBLEU's users type: the same numbers as sacreBLEU's, where it gives them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.command_line import run

from nlgauge.cli import main

NEWS = Path(__file__).parents[2] / "examples" / "news"
FILES = ["reference1.txt", "-i", "north.txt", "south.txt"]


@pytest.fixture(autouse=True)
def folder(monkeypatch) -> None:
    monkeypatch.chdir(NEWS)


def sacrebleu(*options: str) -> str:
    command = [sys.executable, "-m", "sacrebleu", *FILES, *options]
    return subprocess.check_output(command, text=True, stderr=subprocess.DEVNULL)


def test_smoothing(capsys) -> None:
    options = ("-m", "bleu", "-s", "floor", "-sv", "0.2", "-b", "-w", "6")
    ours = run(capsys, "score", *FILES, *options).split()
    alone = [
        subprocess.check_output(
            [sys.executable, "-m", "sacrebleu", FILES[0], "-i", name, *options], text=True
        ).strip()
        for name in FILES[2:]
    ]
    assert ours == alone


def test_paired_ar(capsys) -> None:
    ours = json.loads(run(capsys, "score", *FILES, "-m", "bleu", "--paired-ar", "-f", "json"))
    theirs = json.loads(sacrebleu("-m", "bleu", "--paired-ar"))
    p = ours["systems"]["south"]["bleu"]["p_value"]
    assert p == pytest.approx(theirs[1]["BLEU"]["p_value"], abs=1e-9)


def test_languages_choose_the_tokeniser(capsys) -> None:
    by_language = run(capsys, "score", *FILES, "-m", "bleu", "-b", "-l", "en-zh")
    assert by_language == run(capsys, "score", *FILES, "-m", "bleu", "-b", "-tok", "zh")
    both = run(capsys, "score", *FILES, "-m", "bleu", "chrf", "-b", "-l", "en-zh")
    assert both.split()[::2] == by_language.split()  # a language is no option of chrF: no warning
    usual = run(capsys, "score", *FILES, "-m", "bleu", "-b", "-l", "en-de")
    assert usual == run(capsys, "score", *FILES, "-m", "bleu", "-b")


def test_sentences_and_details(capsys) -> None:
    lines = run(capsys, "score", *FILES, "-m", "ter", "-sl", "-f", "tsv").splitlines()
    assert lines[0] == "system\tid\tter" and len(lines) == 1 + 2 * 60
    text = run(capsys, "score", *FILES, "-m", "bleu", "--detail", "-sh")
    assert "brevity_penalty" in text and "/" in text


def test_no_p_value_is_printed_as_nothing(capsys) -> None:
    printed = run(capsys, "score", *FILES, "-m", "bleu", "--paired-ar")
    assert "p<0.001" in printed and "p=0.000" not in printed  # 1 of 10,001 trials


@pytest.mark.parametrize("test", ["--paired-bs", "--paired-ar"])
def test_one_system_has_nothing_to_be_tested_against(capsys, test) -> None:
    assert main(["score", *FILES[:3], test]) == 3
    assert "there is only one system (north); give at least two" in capsys.readouterr().err


def test_two_tests_at_once_are_refused(capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["score", *FILES, "--paired-bs", "--paired-ar"])
    assert "--paired-ar: not allowed with argument -pbs/--paired-bs" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "spec"),
    [
        (["--chrf-word-order", "2"], "chrf(word_order=...)"),
        (["--chrf-eps-smoothing"], "chrf(eps_smoothing=...)"),
        (["--ter-case-sensitive"], "ter(case_sensitive=...)"),
        (["--ter-no-punct"], "ter(no_punct=...)"),
    ],
)
def test_options_of_metrics_are_told_where_they_stand(capsys, option, spec) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["score", *FILES, "-m", "chrf", "ter", *option])
    assert f"options of a metric stand behind its name: -m '{spec}'" in capsys.readouterr().err
