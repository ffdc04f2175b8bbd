"""The command line in this process: what it prints is what the library returns."""

import gzip
import io
import json
import sys
from pathlib import Path

import pytest
from support import peer
from support.command_line import HYPS, REFS1, REFS2, WORSE, prepare, run, write

import nlgauge
from nlgauge.cli import main

pytestmark = pytest.mark.usefixtures("files")


@pytest.fixture
def files(tmp_path: Path, monkeypatch) -> Path:
    return prepare(tmp_path, monkeypatch)


def stdin(monkeypatch, lines: list[str]) -> None:
    data = "".join(f"{line}\n" for line in lines).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


SYSTEMS = ("ref.txt", "-i", "sysA.txt", "sysB.txt")


def test_json_is_the_librarys_result_bit_for_bit(capsys) -> None:
    metrics = ["bleu", "chrf++", "ter", "bleu(smooth=floor,max_order=2)"]
    found = json.loads(run(capsys, "score", *SYSTEMS, "-m", *metrics, "-f", "json"))
    table = nlgauge.score({"sysA": HYPS, "sysB": WORSE}, REFS1, metrics=metrics)
    assert found == json.loads(json.dumps(table.to_dict()))


def test_scores_are_those_of_sacrebleu(capsys) -> None:
    out = run(capsys, "score", "ref.txt", "ref2.txt", "-i", "sysA.txt", "-f", "json")
    both = list(zip(REFS1, REFS2, strict=True))
    theirs = peer.score(peer.bleu(tokenize="13a"), HYPS, both).score
    assert json.loads(out)["systems"]["sysA"]["bleu"]["score"] == pytest.approx(theirs)


def test_table(capsys) -> None:
    out = run(capsys, "score", *SYSTEMS, "-m", "bleu", "chrf++", "ter")
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line.strip()}
    one = [[r] for r in REFS1]
    tools = (peer.bleu(tokenize="13a"), peer.chrf(word_order=2), peer.ter())
    theirs = [f"{peer.score(tool, HYPS, one).score:.2f}" for tool in tools]
    assert [x for x in rows["sysA"] if x != "*"] == theirs
    assert rows["sysA"].count("*") == 3
    assert "\x1b" not in out


def test_standard_input(capsys, monkeypatch) -> None:
    from_file = run(capsys, "score", "ref.txt", "-i", "sysA.txt", "-m", "chrf", "-b", "-w", "6")
    stdin(monkeypatch, HYPS)
    assert run(capsys, "score", "ref.txt", "-m", "chrf", "-b", "-w", "6") == from_file


def test_data_files(files: Path, capsys) -> None:
    records = [{"hypothesis": h, "references": [r]} for h, r in zip(HYPS, REFS1, strict=True)]
    write(files / "data.jsonl", [json.dumps(record) for record in records])
    spec = "bleu(tokenizer=zh,smooth=floor)"
    out = run(capsys, "score", "--format", "jsonl", "data.jsonl", "-m", spec, "-f", "json")
    (scores,) = json.loads(out)["systems"].values()
    tool = peer.bleu(tokenize="zh", smooth_method="floor")
    theirs = peer.score(tool, HYPS, [[r] for r in REFS1]).score
    assert scores[spec]["score"] == pytest.approx(theirs)


def test_several_references_on_a_line(files: Path, capsys) -> None:
    write(files / "both.txt", [f"{a}\t{b}" for a, b in zip(REFS1, REFS2, strict=True)])
    apart = run(capsys, "score", "ref.txt", "ref2.txt", "-i", "sysA.txt", "-f", "json")
    assert run(capsys, "score", "both.txt", "-nr", "2", "-i", "sysA.txt", "-f", "json") == apart


def test_options_for_all_metrics(files: Path, capsys) -> None:
    write(files / "upper.txt", [h.upper() for h in HYPS])
    metrics = ("-m", "bleu", "chrf", "-f", "json")
    assert main(["score", "ref.txt", "-i", "upper.txt", "-lc", "-tok", "char", *metrics]) == 0
    out, err = capsys.readouterr()
    assert "tokenizer=char (-tok) changes nothing for chrf" in err
    scores = list(json.loads(out)["systems"]["upper"].values())
    upper, one = [h.upper() for h in HYPS], [[r] for r in REFS1]
    tools = (peer.bleu(tokenize="char", lowercase=True), peer.chrf(lowercase=True))
    theirs = [peer.score(tool, upper, one).score for tool in tools]
    assert [s["score"] for s in scores] == pytest.approx(theirs)


def test_a_signature_is_a_metric(capsys) -> None:
    signature = nlgauge.BLEU(smooth="floor").signature()
    bare = ("score", "ref.txt", "-i", "sysB.txt", "-b", "-w", "9", "-m")
    assert run(capsys, *bare, signature) == run(capsys, *bare, "bleu(smooth=floor)")


def test_confidence(capsys) -> None:
    tests = ("-ci", "-pbs", "-cin", "50", "--seed", "7")
    out = run(capsys, "score", *SYSTEMS, "-m", "ter", "-f", "json", *tests)
    found = json.loads(out)["systems"]
    suite = nlgauge.Suite.build({"sysA": HYPS, "sysB": WORSE}, REFS1)
    table = nlgauge.score_suite(suite, ["ter"], confidence=True, paired=True, resamples=50, seed=7)
    assert found["sysB"]["ter"]["p_value"] == table["sysB", "ter"].p_value
    assert found["sysA"]["ter"]["interval"] == vars(table["sysA", "ter"].interval)


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.tsv"])
def test_segments(files: Path, capsys, name: str) -> None:
    run(capsys, "score", *SYSTEMS, "-m", "chrf", "ter", "--segments", name)
    data = (files / name).read_bytes()
    lines = (gzip.decompress(data) if name.endswith(".gz") else data).decode().splitlines()
    table = nlgauge.score({"sysA": HYPS, "sysB": WORSE}, REFS1, metrics=["chrf", "ter"])
    expected = [
        (system, str(i + 1), *scores)
        for system in table.systems
        for i, scores in enumerate(
            zip(*(table.segment_scores(system, m).tolist() for m in ("chrf", "ter")), strict=True)
        )
    ]
    if name.endswith(".tsv"):
        assert lines.pop(0) == "system\tid\tchrf\tter"
        cells = (line.split("\t") for line in lines)
        assert [(s, i, float(c), float(t)) for s, i, c, t in cells] == expected
        return
    records = list(map(json.loads, lines))
    scores = [[r["scores"][m]["score"] for m in ("chrf", "ter")] for r in records]
    found = [(r["system"], r["id"], *s) for r, s in zip(records, scores, strict=True)]
    assert found == expected
    assert records[0]["scores"]["ter"]["edits"] == 1


@pytest.mark.parametrize("form", ["json", "tsv", "markdown", "latex", "text"])
def test_output_files(files: Path, capsys, form: str) -> None:
    printed = run(capsys, "score", *SYSTEMS, "-m", "ter", "-f", form)
    assert run(capsys, "score", *SYSTEMS, "-m", "ter", "-f", form, "-o", "out") == ""
    assert (files / "out").read_text(encoding="utf-8") == printed
    assert printed.endswith("\n")


def test_width_and_bare_scores(capsys) -> None:
    # 1 + 2 + 0 edits in 7 + 6 + 5 words; 5 + 5 + 4.
    assert run(capsys, "score", *SYSTEMS, "-m", "ter", "-b", "-w", "1") == "16.7\n77.8\n"
    assert run(capsys, "score", *SYSTEMS, "-m", "ter", "chrf", "-b").count("\t") == 2


def test_threads_change_nothing(capsys) -> None:
    outputs = {run(capsys, "score", *SYSTEMS, "-f", "json", "--threads", n) for n in "125"}
    assert len(outputs) == 1
