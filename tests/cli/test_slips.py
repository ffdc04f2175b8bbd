"""Slips of people who type commands: what would harm is refused, the rest gets a way out."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from support.command_line import prepare, run

import nlgauge
from nlgauge.cli import main

pytestmark = pytest.mark.usefixtures("files")


@pytest.fixture
def files(tmp_path: Path, monkeypatch) -> Path:
    return prepare(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    "arguments",
    [
        ["ref.txt", "-i", "sysA.txt", "-o", "sysA.txt"],
        ["ref.txt", "-i", "A=sysA.txt", "-o", "./sysA.txt"],
        ["ref.txt", "-i", "sysA.txt", "--report", "ref.txt"],
        ["ref.txt", "-o", "sysA.txt", "-i", "sysA.txt", "-f", "json"],
    ],
)
def test_what_is_read_is_not_written_over(files: Path, capsys, arguments: list[str]) -> None:
    before = {path: path.read_bytes() for path in files.glob("*.txt")}
    assert main(["score", *arguments]) == 2
    assert "is read, and the results would be written over it" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in files.glob("*.txt")} == before


def test_two_results_in_one_file(capsys) -> None:
    arguments = ["score", "ref.txt", "-i", "sysA.txt", "-o", "out", "--report", "out"]
    assert main(arguments) == 2
    assert "out: two results would be written to it" in capsys.readouterr().err


def test_results_may_go_nowhere(capsys) -> None:
    nowhere = ("-o", "/dev/null", "--report", "/dev/null")
    assert run(capsys, "score", "ref.txt", "-i", "sysA.txt", *nowhere) == ""


@pytest.mark.parametrize(
    "metrics",
    [["bleu,chrf,ter"], ["bleu, chrf", "ter"], ["bleu chrf ter"], ["-m", "bleu,chrf", "-m", "ter"]],
)
def test_metrics_between_commas(capsys, metrics: list[str]) -> None:
    given = metrics if metrics[0] == "-m" else ["-m", *metrics]
    wanted = run(capsys, "score", "ref.txt", "-i", "sysA.txt", "-m", "bleu", "chrf", "ter")
    assert run(capsys, "score", "ref.txt", "-i", "sysA.txt", *given) == wanted


def test_commas_of_options_part_no_metrics(capsys) -> None:
    spec = "chrf(word_order=2, beta=1)"
    wanted = run(capsys, "score", "ref.txt", "-i", "sysA.txt", "-m", spec, "ter", "-b")
    given = run(capsys, "score", "ref.txt", "-i", "sysA.txt", "-m", f"{spec},ter", "-b")
    assert given == wanted
    assert given.count("\t") == 1


def test_metrics_between_commas_in_python() -> None:
    table = nlgauge.score(["a cat"], ["the cat"], metrics="bleu, chrf(word_order=2,beta=1)")
    assert [c.name for c in table.columns] == ["bleu", "chrf(word_order=2,beta=1)"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--versoin"], "no option --versoin; did you mean --version?"),
        (["-q", "score", "ref.txt"], "options stand behind a command"),
        (["bleu", "ref.txt", "sysA.txt"], "write: nlgauge score REF -i FILE -m bleu"),
        (["score", "--ref", "ref.txt"], "references come first: nlgauge score ref.txt -i mine.txt"),
        (["compare", "--predictions", "sysA.txt"], "outputs are -i FILE"),
    ],
)
def test_what_to_write_instead(capsys, arguments: list[str], message: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert message in capsys.readouterr().err


def test_a_terminal_is_told_that_it_is_read(capsys, monkeypatch) -> None:
    class Terminal(io.BytesIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(Terminal(b"a\nb\nc\n")))
    assert main(["score", "ref.txt", "-b"]) == 0
    assert "read from the terminal, and Ctrl-D ends them" in capsys.readouterr().err


def test_references_may_stand_in_for_outputs(capsys) -> None:
    """robustness changes references alone, and says nothing of outputs."""
    run(capsys, "robustness", "ref.txt", "-m", "chrf", "--perturbations", "jumble")


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("out.json", "json"),
        ("out.json.gz", "json"),
        ("out.tsv", "tsv"),
        ("out.md", "markdown"),
        ("out.tex", "latex"),
        ("out.txt", "text"),
        ("out", "text"),
        ("out.v2", "text"),
    ],
)
def test_a_name_says_the_format(files: Path, capsys, name: str, format: str) -> None:
    given = ["score", "ref.txt", "-i", "sysA.txt", "--caption", "x"]
    given = given if format == "latex" else given[:4]
    wanted = run(capsys, *given, "-f", format)
    assert run(capsys, *given, "-o", name) == ""
    written = (files / name).read_bytes()
    found = gzip.decompress(written) if name.endswith(".gz") else written
    assert found.decode() == wanted


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("json", "write -f json"),
        ("out.csv", "-o NAME.tsv"),
        ("out.html", "--report NAME.html"),
        ("OUT.XLSX", "-o NAME.tsv"),
    ],
)
def test_a_name_that_says_another_format(files: Path, capsys, name: str, message: str) -> None:
    assert main(["score", "ref.txt", "-i", "sysA.txt", "-o", name]) == 2
    assert message in capsys.readouterr().err
    assert not (files / name).exists()
    run(capsys, "score", "ref.txt", "-i", "sysA.txt", "-o", name, "-f", "text")  # it was asked for
