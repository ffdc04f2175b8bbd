"""Options of several values: given twice, they add up; without their values, they are named."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import prepare

from nlgauge.cli import main, parser

pytestmark = pytest.mark.usefixtures("files")


@pytest.fixture
def files(tmp_path: Path, monkeypatch) -> Path:
    return prepare(tmp_path, monkeypatch)


def parsed(*arguments: str):
    return parser(arguments).parse_args(arguments)


@pytest.mark.parametrize("command", ["score", "compare", "explain"])
def test_outputs_and_metrics_given_twice_are_all_taken(command: str) -> None:
    found = parsed(command, "r", "-i", "A=a", "-m", "bleu", "-i", "b", "c", "-m", "chrf")
    assert found.input == ["A=a", "b", "c"]
    assert found.metrics == ["bleu", "chrf"]


def test_defaults_are_replaced_and_stay_as_they_are() -> None:
    default = list(parsed("score", "r").metrics or [])
    assert parsed("score", "r", "-m", "ter").metrics == ["ter"]
    assert list(parsed("score", "r").metrics or []) == default


def test_both_systems_are_in_the_table(capsys) -> None:
    assert main(["score", "ref.txt", "-i", "A=sysA.txt", "-i", "B=sysB.txt", "-m", "bleu"]) == 0
    printed = capsys.readouterr().out
    assert " A " in printed
    assert " B " in printed


def test_a_gate_without_its_systems_says_what_it_takes(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["compare", "ref.txt", "-i", "sysA.txt", "-m", "bleu", "--fail-if-worse"])
    assert "--fail-if-worse SYSTEM THAN" in capsys.readouterr().err
