"""nlgauge baseline fergus, fb and rerank, and nlgauge experiment, as commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command_line import run

from nlgauge.cli import main
from nlgauge.experiments import EXPERIMENTS
from nlgauge.experiments.experiment import ComparedRow, ComparedTable, example
from nlgauge.report.tables.experiment_tables import EXAMPLES, experiment_grids

TRAIN, TEST = example("treebank-train.conllu"), example("treebank-test.conllu")
MEETINGS = example("meetings.jsonl")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def fails(capsys: pytest.CaptureFixture[str], code: int, *arguments: str) -> str:
    """What a command that fails with this exit code says."""
    assert main(list(arguments)) == code
    return capsys.readouterr().err


def test_fergus_writes_sentences_and_lists(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "baseline", "fergus", TEST, "--train", TRAIN, "--save", "f.safetensors")
    lines = out.splitlines()
    assert len(lines) == 60
    assert lines == run(capsys, "baseline", "fergus", TEST, "--model", "f.safetensors").splitlines()
    run(capsys, "baseline", "fergus", TEST, "--model", "f.safetensors", "--best", "5", "-o", "x")
    lists = [line.split(" ||| ") for line in Path("x").read_text().splitlines()]
    firsts = {}
    for number, text, _ in lists:
        firsts.setdefault(int(number), text)
    assert [firsts[k] for k in range(60)] == lines
    lr = run(capsys, "baseline", "fergus", TEST, "--model", "f.safetensors", "--method", "lr")
    assert sorted(lr.split()) == sorted(out.split())


def test_fergus_is_evaluated(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("baseline", "fergus", TEST, "--train", TRAIN, "--evaluate")
    found = json.loads(run(capsys, *arguments, "-f", "json", "--report", "page.html"))
    scores = {(s["system"], s["metric"]): s for s in found["scores"]}
    for metric in ("ssa", "gsa", "sta", "gta"):
        assert scores["lr", metric]["interval"]["high"] < scores["fergus", metric]["score"]
    page = Path("page.html").read_text()
    assert "fergus" in page
    assert "tree-lr" in page


def test_fergus_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    cycle = "1\ta\ta\tX\t_\t_\t2\tdep\t_\t_\n2\tb\tb\tX\t_\t_\t1\tdep\t_\t_\n\n"
    Path("cycle.conllu").write_text(cycle)
    said = fails(capsys, 3, "baseline", "fergus", "cycle.conllu", "--train", TRAIN)
    assert "cycle.conllu, line 1: word 1 depends on itself, through its heads" in said
    odd = "1\tzorps\tz\tX\t_\t_\t0\troot\t_\t_\n\n"
    Path("odd.conllu").write_text(odd)
    arguments = ("baseline", "fergus", "odd.conllu", "--train", TRAIN, "-q")
    assert "does not have the word 'zorps'" in fails(capsys, 3, *arguments, "--unknown", "refuse")
    assert run(capsys, *arguments) == "zorps\n"
    assert "give --train FILE" in fails(capsys, 2, "baseline", "fergus", TEST)
    both = ("--train", TRAIN, "--model", "x")
    assert "give --train FILE" in fails(capsys, 2, "baseline", "fergus", TEST, *both)
    report = ("--train", TRAIN, "--report", "x.html")
    assert "add --evaluate" in fails(capsys, 2, "baseline", "fergus", TEST, *report)
    Path("no.model").write_bytes(b"nothing")
    assert "no.model" in fails(capsys, 3, "baseline", "fergus", TEST, "--model", "no.model")


def test_fb(capsys: pytest.CaptureFixture[str]) -> None:
    learnt = ("baseline", "fb", MEETINGS, "--train", MEETINGS, "--sentences", "2")
    out = run(capsys, *learnt, "--save", "fb.safetensors")
    assert len(out.splitlines()) == 6
    again = ("baseline", "fb", MEETINGS, "--model", "fb.safetensors", "--sentences", "2")
    assert run(capsys, *again) == out
    assert run(capsys, *again, "--system", "fb2") != out
    table = run(capsys, "baseline", "fb", MEETINGS, "--evaluate", "--sentences", "3", "-f", "tsv")
    rows = [line.split("\t")[0] for line in table.splitlines()]
    assert rows[2:8] == ["fb1", "fb2", "mmr", "lsa", "lead", "random"]
    bare = '{"sentences": ["a b", "c d"]}\n'
    Path("bare.jsonl").write_text(bare)
    said = fails(capsys, 3, "baseline", "fb", "bare.jsonl", "--train", MEETINGS, "--evaluate")
    assert "document '1' has neither extracts nor references" in said


def lists_and_references() -> None:
    for name in ("train", "test"):
        rows, references = [], []
        for k in range(30):
            right = f"the boat {name} {k} left the old harbour today"
            wrong = [f"boat {k} the", f"old harbour {name} {k} the left today boat"]
            texts = [wrong[0], right, wrong[1]] if k % 2 else [wrong[1], wrong[0], right]
            rows += [
                f"{k} ||| {text} ||| len= {len(text)} bad= {text.startswith('old'):d}"
                for text in texts
            ]
            references.append(right)
        Path(f"{name}.nbest").write_text("".join(f"{row}\n" for row in rows))
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in references))


TRAINED = ("--train", "train.nbest", "--train-references", "train.txt")


def test_rerank(capsys: pytest.CaptureFixture[str]) -> None:
    lists_and_references()
    out = run(capsys, "baseline", "rerank", "test.nbest", *TRAINED, "--save", "r.safetensors")
    assert out == Path("test.txt").read_text()
    assert run(capsys, "baseline", "rerank", "test.nbest", "--model", "r.safetensors") == out
    told = ("--references", "test.txt", "--evaluate", "-f", "json", "-m", "bleu", "chrf")
    found = json.loads(run(capsys, "baseline", "rerank", "test.nbest", *TRAINED, *told))
    (best,) = [
        d for d in found["differences"] if d["metric"] == "bleu" and d["system"] == "reranked"
    ]
    assert best["significant"]
    assert best["better"] == "reranked"
    with_agreement = ("--ngrams", "2", "--agreement", "chrf", "--penalty", "0.5")
    assert run(capsys, "baseline", "rerank", "test.nbest", *TRAINED, *with_agreement) == out


def test_rerank_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    lists_and_references()
    Path("one.nbest").write_text("0 ||| a ||| f= 1\n")
    said = fails(capsys, 3, "baseline", "rerank", "one.nbest", *TRAINED)
    assert "one.nbest, line 1: list '0' has 1 candidate" in said
    assert run(capsys, "baseline", "rerank", "one.nbest", *TRAINED, "--allow-single") == "a\n"
    said = fails(capsys, 2, "baseline", "rerank", "test.nbest", *TRAINED, "--evaluate")
    assert "--evaluate needs --references" in said
    said = fails(capsys, 2, "baseline", "rerank", "test.nbest", "--train", "train.nbest")
    assert "--train needs --train-references" in said
    Path("short.txt").write_text("x\n")
    short = ("--train", "train.nbest", "--train-references", "short.txt")
    said = fails(capsys, 3, "baseline", "rerank", "test.nbest", *short)
    assert "short.txt: 1 lines, and there are 30 n-best lists" in said


# These need nothing beside the default installation, and little time.
QUICK = ["plane", "order", "preprocessing", "qarla", "meteor", "meeting", "generation"]


@pytest.mark.parametrize("name", QUICK)
def test_experiments_on_examples(capsys: pytest.CaptureFixture[str], name: str) -> None:
    found = json.loads(run(capsys, "experiment", name, "-f", "json", "--report", "page.html"))
    assert found["examples"]
    rows = [row for table in found["tables"] for row in table["rows"]]
    assert any(figure is not None for row in rows for figure in row["paper"])
    assert any(figure is not None for row in rows for figure in row["ours"])
    for table in found["tables"]:
        for row in table["rows"]:
            assert len(row["ours"]) == len(table["ours"])
            assert len(row["paper"]) == len(table["paper"])
    page = Path("page.html").read_text()
    assert "paper: " in page and "ours: small examples" in page


def test_what_is_true_of_several_tables_is_said_once() -> None:
    rows = [ComparedRow("bleu", (1.0,), (2.0,))]
    first, second = (
        ComparedTable(name, ("r",), ("r",), rows, ("of both", f"of {name}")) for name in "ab"
    )
    grids = experiment_grids([first, second], examples=True)
    assert [grid.notes for grid in grids] == [("of a",), ("of both", "of b", EXAMPLES)]
    assert [grid.notes for grid in experiment_grids([first])] == [("of both", "of a")]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(EXPERIMENTS.keys() - set(QUICK)))
def test_slow_experiments(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert json.loads(run(capsys, "experiment", name, "-f", "json"))["tables"]


def test_experiments_on_data_of_the_user(capsys: pytest.CaptureFixture[str]) -> None:
    data = ("--data", f"train={TRAIN}", f"test={TEST}")
    found = json.loads(run(capsys, "experiment", "generation", *data, "-f", "json"))
    assert not found["examples"]
    rows = {row["label"]: row for row in found["tables"][0]["rows"]}
    assert rows["ssa"]["paper"] == [0.41, 0.58]  # table 2 of the paper
    assert rows["gta"]["paper"] == [0.63, 0.76]
    lr, _, fergus, _ = rows["gta"]["ours"]
    assert lr["high"] < fergus["low"]


def test_experiments_list_themselves_and_refuse(capsys: pytest.CaptureFixture[str]) -> None:
    listed = run(capsys, "experiment")
    assert all(name in listed for name in EXPERIMENTS)
    assert "there are plane, order" in fails(capsys, 2, "experiment", "none")
    assert "expected KEY=FILE" in fails(capsys, 2, "experiment", "plane", "--data", "x.jsonl")
    said = fails(capsys, 2, "experiment", "generation", "--data", f"train={TRAIN}")
    assert "no data 'test'" in said
    said = fails(capsys, 2, "experiment", "plane", "--data", "corpus=x")
    assert "no data 'corpus'; the experiment takes judged" in said
    judged = ("--data", f"judged={example('judged.jsonl')}", "--criterion", "beauty")
    assert "name the one to take with --criterion" in fails(
        capsys, 3, "experiment", "order", *judged
    )
