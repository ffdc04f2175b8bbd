"""Calls that newcomers typed: they work, or say what to type instead."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import run, write

import nlgauge
from nlgauge.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
NEWS = EXAMPLES / "news"
FILES = [str(NEWS / "reference1.txt"), "-i", str(NEWS / "north.txt"), str(NEWS / "south.txt")]


def test_no_references_for_metrics_that_read_contexts(tmp_path, capsys) -> None:
    write(tmp_path / "said.txt", ["Tea? __eou__ Yes.", "How are you?"])
    write(tmp_path / "replies.txt", ["Here it is.", "Fine, thanks to you."])
    contexts = ["--contexts", str(tmp_path / "said.txt"), "--turn-separator", " __eou__ "]
    replies = ["-i", str(tmp_path / "replies.txt"), "-tok", "13a", "-b"]
    # 4 and 6 words, full stops and commas included.
    assert run(capsys, "score", *contexts, *replies, "-m", "reply-length").strip() == "5.0000"
    assert main(["score", *contexts, *replies, "-m", "bleu"]) == 3
    assert "bleu needs references" in capsys.readouterr().err
    assert main(["score", *replies]) == 2
    assert "name them first: nlgauge score ref.txt" in capsys.readouterr().err


def test_a_table_of_latex_has_a_caption(capsys) -> None:
    texts = ("--caption", "Ours & theirs", "--label", "tab:a")
    out = run(capsys, "compare", *FILES, "-m", "chrf", "-f", "latex", "--trials", "50", *texts)
    assert out.count(r"\begin{table}") == out.count(r"\begin{tabular}") == 1
    assert r"\caption{Ours \& theirs}" in out and r"\label{tab:a}" in out
    assert main(["score", *FILES, *texts]) == 2
    assert "add -f latex" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--sentence-level", "--paired-ar", "--dry-run"])
def test_streams_refuse_what_they_cannot_do(option: str, capsys) -> None:
    assert main(["score", *FILES, "--stream", option]) == 2
    assert f"{option}: not with --stream" in capsys.readouterr().err


def test_streams_know_the_options_of_sacrebleu(capsys) -> None:
    options = ("-b", "-s", "floor", "-sv", "0.2", "-l", "en-zh")
    assert run(capsys, "score", *FILES, *options, "--stream") == run(
        capsys, "score", *FILES, *options
    )


def test_parent_is_explained_from_published_files(capsys) -> None:
    folder = EXAMPLES / "webnlg"
    files = [str(folder / "test.xml"), "-i", str(folder / "neural.txt")]
    segments = run(capsys, "score", *files, "-m", "parent", "-sl", "-f", "tsv").splitlines()
    score = float(next(line for line in segments if "Food/2/Id3" in line).split("\t")[2])
    shown = run(capsys, "explain", *files, "-n", "Food/2/Id3", "-m", "parent")
    assert shown.startswith(f"parent {score:.4f}  neural")


def test_ratings_are_read_from_a_file() -> None:
    path = EXAMPLES / "judged.jsonl"
    found = nlgauge.meta_evaluate(path, "adequacy", metrics="chrf")
    assert {a.criterion for a in found.agreements} == {"adequacy"}
    both = nlgauge.meta_evaluate(str(path), metrics=["chrf"])
    assert {a.criterion for a in both.agreements} == {"adequacy", "fluency"}
    with pytest.raises(nlgauge.DataError, match=r"line 1: no column 'text'; there is: 'id'"):
        nlgauge.meta_evaluate(path, "adequacy", hypothesis="text")
    with pytest.raises(nlgauge.SpecError, match="path of a file of judged outputs"):
        nlgauge.meta_evaluate(path, "adequacy", scores="chrf")


def test_names_of_papers() -> None:
    hyps = ["a b a b", "a c"]
    table = nlgauge.score(hyps, hyps, metrics=["distinct-1", "distinct-2", "distinct-n"])
    # a b a b, a c: 3 of 6 words are distinct; ab ba ab, ac: 3 of 4 pairs.
    values = [table[name].score for name in ("distinct-1", "distinct-2", "distinct-n")]
    assert values == pytest.approx([0.5, 0.75, 0.75])
