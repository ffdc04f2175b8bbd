"""Names and texts that would be obeyed where they are shown: terminals, spreadsheets, Markdown."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command_line import prepare, started, write

from nlgauge import score
from nlgauge.cli import main
from nlgauge.data.judgements import Judgements
from nlgauge.errors import DataError
from nlgauge.explain.explanation import explain
from nlgauge.io.judgements.judgement_files import read_judgements, write_judgements
from nlgauge.io.scores.score_files import read_scores
from nlgauge.io.write import quoted, unquoted
from nlgauge.report.tables.escapes import (
    latex,
    latex_number,
    markdown_cell,
    one_line,
    printable,
    tsv_cell,
)
from nlgauge.report.tables.segments import write_segments
from nlgauge.text.preparation import TOKENIZERS, Preparation
from nlgauge.text.tokenizers.sentence_pieces import KEPT as USERS_OWN

RED = "\x1b[31mred\x1b]0;title\x07\x9b1m"
EVIL = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "'=x", "''-y"]


@pytest.mark.parametrize("command", ["score", "explain", "compare"])
@pytest.mark.parametrize("format", ["text", "tsv", "markdown", "latex", "json"])
def test_no_control_sequence_is_sent(tmp_path, monkeypatch, capsys, command, format) -> None:
    prepare(tmp_path, monkeypatch)
    texts = [f"The {RED} cat", "a dog", "it rains"]
    write(tmp_path / f"a{RED}.txt", texts)
    arguments = ["ref.txt", "-i", f"a{RED}.txt", *(["sysA.txt"] if command != "explain" else [])]
    if command == "explain":
        if format != "text":
            return
        arguments += ["-m", "bleu", "ter", "chrf"]
    else:
        arguments += ["-f", format]
    assert main([command, *arguments]) == 0
    captured = capsys.readouterr()
    assert not any(c in captured.out + captured.err for c in "\x1b\x07\x9b")
    assert "red" in captured.out


def test_messages_are_escaped(capsys) -> None:
    assert main(["score", f"no{RED}", "-i", "x"]) == 3
    assert "\x1b" not in capsys.readouterr().err


def test_escapes() -> None:
    assert printable("a\x1b[0m\tb\udcff\u2028é") == "a\\x1b[0m\\tb\\udcff\\u2028é"
    assert one_line("a\\b\n\x00") == "a\\\\b\\n\\x00"
    assert latex("κ < 0–∞ | ½ ✓") == (
        r"$\kappa$ \textless{} 0--$\infty$ \textbar{} $\frac{1}{2}$ $\surd$"
    )
    assert latex_number("-0.5 [-0.75, +0.25]") == "$-$0.5 [$-$0.75, +0.25]"
    assert latex("en-de") == latex_number("en-de") == "en-de"
    assert latex("a\x07_b\n") == r"a\textbackslash{}x07\_b\textbackslash{}n"
    assert markdown_cell("<script>x</script>|[a](b) & c") == (
        "&lt;script&gt;x&lt;/script&gt;\\|[a]\\(b) &amp; c"
    )


def test_numbers_stay_numbers() -> None:
    for text in ("-1.5", "+3", "-inf", "1e-9", "plain", "a=b", "", "'quoted'"):
        assert tsv_cell(text) == text
    assert [tsv_cell(text) for text in EVIL[:4]] == [f"'{text}" for text in EVIL[:4]]


@given(st.text(st.sampled_from("'=+-@1a."), max_size=6))
def test_quoting_round_trips(text: str) -> None:
    assert unquoted(quoted(text)) == text
    assert quoted(text)[:1] not in ("=", "@")


def test_segments_come_back(tmp_path: Path) -> None:
    table = score({name: ["a b c d e"] for name in EVIL}, ["a b c d"], metrics=["chrf"])
    path = tmp_path / "scores.tsv"
    write_segments(str(path), table)
    assert not any(line.startswith(("=", "+", "-", "@")) for line in path.read_text().splitlines())
    assert list(read_scores(path).systems.names) == EVIL


def test_judgements_come_back(tmp_path: Path) -> None:
    rows = [{"item": "1", "system": name, "criterion": "=c", "value": -0.5} for name in EVIL]
    path = tmp_path / "judged.tsv"
    write_judgements(path, Judgements.build(rows))
    assert "\t-0.5" in path.read_text()
    again = read_judgements(path)
    assert list(again.system.names) == EVIL and list(again.criterion.names) == ["=c"]


@pytest.mark.skipif(os.name != "posix", reason="names of files are text elsewhere")
def test_names_that_are_not_utf8(tmp_path: Path, monkeypatch) -> None:
    prepare(tmp_path, monkeypatch)
    name = os.fsdecode(b"s\xff.txt")
    write(tmp_path / name, ["a", "b", "c"])
    for format in ("json", "text", "tsv", "markdown", "latex"):
        done = started("score", "ref.txt", "-i", name, "-f", format, "--report", "x.html")
        assert (done.returncode, done.stderr) == (0, b""), format
        assert b"s\\udcff" in done.stdout.replace(b"\\textbackslash{}", b"\\").replace(
            b"\\\\", b"\\"
        )
        if format == "json":
            assert list(json.loads(done.stdout)["systems"]) == [r"s\udcff"]


def test_half_characters(capsys) -> None:
    assert main(["explain", "--hyp", "\udcff a b", "--ref", "a b", "-m", "bleu"]) == 3
    assert "half of a surrogate pair" in capsys.readouterr().err
    with pytest.raises(DataError, match="half of a surrogate pair"):
        explain("a", ["\ud800"], ["ter"])
    for name in {*TOKENIZERS} - {*USERS_OWN}:
        assert len(Preparation(name).words(["a \ud800 b"])) == 1
