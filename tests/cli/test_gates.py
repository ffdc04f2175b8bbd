"""Gates for CI: limits of scores, margins of losses, and the assertions of the pytest plugin."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nlgauge.cli import main

pytest_plugins = ["pytester"]

REFS = [f"word{i} a b c d e f g" for i in range(40)]
GOOD = REFS[:36] + ["x y"] * 4
# Of 8 words each, one is wrong in all 40: TER 12.5.
WORSE = [ref.replace(" g", " x") for ref in REFS]


@pytest.fixture
def files(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, lines in (("ref", REFS), ("old", REFS), ("new", WORSE)):
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (["ter=12.5"], 0),
        (["ter=12.4"], 10),
        (["chrf=50", "ter=20"], 0),
        (["chrf=99", "ter=20"], 10),
        (["chrf=50,ter=20"], 0),
        (["ter(normalized=yes)=12.5"], 0),
        (["ter(normalized=yes)=12.4"], 10),
    ],
)
def test_fail_under(capsys, limits, code) -> None:
    command = ["score", "ref.txt", "-i", "new.txt", "-m", "ter", "-b", "--fail-under", *limits]
    assert main(command) == code
    said = capsys.readouterr().err
    assert ("ter 12.5 is over 12.4" in said) == (limits == ["ter=12.4"])
    assert ("is under 99" in said) == ("chrf=99" in limits)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("limit", "example"),
    [
        ("ter", "ter=1"),
        ("30", "bleu=1"),
        ("ter=nan", "ter=1"),
        ("=3", "bleu=1"),
        ("ter=x", "ter=1"),
    ],
)
def test_wrong_limits(capsys, limit, example) -> None:
    """A limit that is no number would never be missed."""
    assert main(["score", "ref.txt", "-i", "new.txt", "--fail-under", limit]) == 2
    assert f"{limit}: expected NAME=NUMBER, such as {example}" in capsys.readouterr().err


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("margin", "code"),
    [
        ([], 10), (["12"], 10), (["12.6"], 0),
        (["ter=12.6"], 0), (["ter=1"], 10), (["ter=13", "wer=1"], 10),
    ],
)  # fmt: skip
def test_margins(capsys, margin, code) -> None:
    metrics = ["ter", "wer"] if len(margin) == 2 else ["ter"]
    command = ["compare", "ref.txt", "-i", "new.txt", "old.txt", "-m", *metrics, "--trials", "200"]
    gate = ["--fail-if-worse", "new", "old", *(["--margin", *margin] if margin else [])]
    if "wer=1" in margin:
        gate[-1] = "wer=0.01"
    assert main([*command, "--resamples", "50", *gate]) == code
    assert ("new is significantly worse than old" in capsys.readouterr().err) == bool(code)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("gate", "message"),
    [
        (["--margin", "1"], "--margin is for --fail-if-worse"),
        (["--fail-if-worse", "new", "old", "--margin", "tre=1"], "did you mean ter?"),
        (["--fail-if-worse", "new", "old", "--margin", "-1"], "must be at least 0"),
    ],
)
def test_wrong_margins(capsys, gate, message) -> None:
    command = ["compare", "ref.txt", "-i", "new.txt", "old.txt", "-m", "ter", "--trials", "50"]
    try:
        assert main([*command, "--resamples", "20", *gate]) == 2
    except SystemExit as ended:
        assert ended.code == 2
    assert message in capsys.readouterr().err


TESTS = f"""
REFS = {REFS!r}
GOOD = {GOOD!r}
WORSE = {WORSE!r}

def test_good(nlgauge):
    nlgauge.assert_score(GOOD, REFS, bleu=50, ter=30)

def test_limit(nlgauge):
    nlgauge.assert_score(GOOD, REFS, {{"chrf++": 99}}, ter=30)

def test_worse(nlgauge):
    nlgauge.assert_not_worse(WORSE, REFS, REFS, metrics="ter")

def test_margin(nlgauge):
    nlgauge.assert_not_worse(WORSE, REFS, REFS, metrics="ter", margin=13)

def test_stored(nlgauge):
    nlgauge.assert_not_worse(REFS, "summaries", REFS, metrics="ter")
"""
CAUGHT = """
import pytest

def test_caught(nlgauge):
    with pytest.raises(AssertionError, match="bleu .* is under 90"):
        nlgauge.assert_score(["a b c d"], ["w x y z"], bleu=90)

def test_suffix(nlgauge):
    nlgauge.assert_not_worse(["a b", "c d"], "folder/kept.jsonl", ["a b", "c d"])
"""


def test_plugin(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TESTS)
    result = pytester.runpytest("-p", "no:cacheprovider", "--junitxml=report.xml")
    result.assert_outcomes(passed=2, failed=3)
    result.stdout.fnmatch_lines(
        [
            '>       nlgauge.assert_score(GOOD, REFS, {"chrf++": 99}, ter=30)',
            "E       AssertionError: new: chrf++ * is under 99",
            '>       nlgauge.assert_not_worse(WORSE, REFS, REFS, metrics="ter")',
            "E* new is significantly worse than baseline by ter: +12.50 (p = 0.000*)",
            "E       Lost most (- baseline, + new, = reference):",
            "E       segment 1: ter 0.00 → 12.50",
            "E         - word0 a b c d e f g",
            "E         + word0 a b c d e f x",
            "E         = word0 a b c d e f g",
            "E* *summaries.jsonl: there is no such baseline yet; run: pytest --nlgauge-update",
        ]
    )
    report = (pytester.path / "report.xml").read_text(encoding="utf-8")
    assert '<property name="nlgauge.ter" value="12.5"' in report
    assert 'name="nlgauge.ter.p"' in report


def test_failures_are_assertion_errors_and_names_may_have_the_suffix(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(CAUGHT)
    pytester.runpytest("-p", "no:cacheprovider", "--nlgauge-update").assert_outcomes(passed=2)
    assert (pytester.path / "nlgauge-baselines/folder/kept.jsonl").is_file()
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=2)


def test_stored_baselines(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_texts=TESTS)
    pytester.makeini("[pytest]\nnlgauge_baselines = kept")
    chosen = ("-p", "no:cacheprovider", "test_texts.py::test_stored")
    pytester.runpytest(*chosen, "--nlgauge-update").assert_outcomes(passed=1)
    file = pytester.path / "kept" / "summaries.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["hypothesis"] for line in lines] == REFS
    pytester.runpytest(*chosen).assert_outcomes(passed=1)
    file.write_text("\n".join([*lines[:-1], ""]), encoding="utf-8")
    short = pytester.runpytest(*chosen)
    short.assert_outcomes(failed=1)
    short.stdout.fnmatch_lines(["*has 39 outputs, the test has 40; run: pytest --nlgauge-update"])
    file.write_text("{}\n", encoding="utf-8")
    pytester.runpytest(*chosen).stdout.fnmatch_lines(["*summaries.jsonl, line 1: expected*"])
