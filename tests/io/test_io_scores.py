"""Segment scores from elsewhere, in the formats they come in."""

import gzip
import hashlib
from pathlib import Path

import numpy as np
import pytest

import nlgauge
from nlgauge.errors import DataError, SpecError
from nlgauge.io.scores.score_files import read_scores
from nlgauge.report.tables.segments import write_segments

CSV = """system,id,comet,judge
north,1,0.5,3
north,2,0.25,4
south,1,1,5
south,2,0,1
"""
TSV = CSV.replace(",", "\t")
NESTED = """{"system": "north", "id": 1, "scores": {"comet": {"score": 0.5}, "judge": 3}}
{"system": "north", "id": 2, "scores": {"comet": {"score": 0.25}, "judge": 4}}
{"system": "south", "id": "1", "scores": {"comet": {"score": 1, "bp": 1}, "judge": 5}}
{"system": "south", "id": "2", "scores": {"comet": {"score": 0}, "judge": 1}}
"""
FLAT = """{"system": "north", "id": 1, "source": "ein", "comet": 0.5, "judge": 3}
{"system": "north", "id": 2, "source": "zwei", "comet": 0.25, "judge": 4}
{"system": "south", "id": 1, "source": "ein", "comet": 1, "judge": 5}
{"system": "south", "id": 2, "source": "zwei", "comet": 0, "judge": 1}
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    data = text.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [("s.tsv", TSV), ("s.tsv.gz", TSV), ("s.csv", CSV), ("s.jsonl", NESTED), ("s.jsonl", FLAT)],
)
def test_one_content_in_all_formats(name: str, text: str, tmp_path: Path) -> None:
    path = write(tmp_path, name, text)
    found = read_scores(path)
    assert found.names == ["comet", "judge"]
    assert found.systems.names == ("north", "south")
    assert found.items.names == ("1", "2")
    assert found.grid(found.segment_scores("comet")).tolist() == [[0.5, 0.25], [1, 0]]
    assert found.system_scores("judge").tolist() == [3.5, 3]
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    assert found.column("comet").metric.source == f"{name}@{digest}"


def test_files_of_mt_metrics_eval(tmp_path: Path) -> None:
    lines = "north\t0.5\nnorth\t0.25\nsouth\t1\nsouth\t0\n"
    comet = write(tmp_path, "COMET-22-refA.seg.score", lines)
    ter = write(tmp_path, "ter-refA.seg.score", lines)
    found = read_scores([comet, ter])
    assert found.names == ["COMET-22", "ter"]
    assert found.grid(found.segment_scores("COMET-22")).tolist() == [[0.5, 0.25], [1, 0]]
    assert [c.metric.info.higher_is_better for c in found.columns] == [True, False]


def test_columns_and_systems_may_lie_in_files_of_their_own(tmp_path: Path) -> None:
    paths = [
        write(tmp_path, "north.jsonl", '{"comet": 0.5}\n{"comet": 0.25}\n'),
        write(tmp_path, "south.jsonl", '{"comet": 1}\n{"comet": 0}\n'),
        write(
            tmp_path,
            "judge.csv",
            "system,segment_id,judge\nsouth,2,1\nsouth,1,5\nnorth,2,4\nnorth,1,3\n",
        ),
    ]
    found = read_scores(paths, lower_is_better=["judge"])
    assert found.grid(found.segment_scores("judge")).tolist() == [[3, 4], [5, 1]]
    assert found.column("comet").metric.source.count("jsonl@") == 2
    assert not found.column("judge").metric.info.higher_is_better


@pytest.mark.parametrize("name", ["s.jsonl", "s.tsv", "s.tsv.gz"])
def test_our_own_segment_scores_come_back(name: str, tmp_path: Path) -> None:
    systems = {"a": ["the cat sat", "a dog"], "b": ["cat sat", "dog ran"]}
    table = nlgauge.score(systems, ["the cat sat", "the dog ran"], metrics=["chrf", "ter"])
    write_segments(str(tmp_path / name), table)
    found = read_scores(tmp_path / name).table()
    assert found.systems == ["a", "b"]
    for system in systems:
        for metric in ("chrf", "ter"):
            ours = table.segment_scores(system, metric)
            np.testing.assert_array_equal(found.segment_scores(system, metric), ours)
    assert found.best("ter") == table.best("ter")


def test_scores_join_texts_by_system_and_id(tmp_path: Path) -> None:
    text = "system\tid\tcomet\nb\ty\t4\nb\tx\t3\na\ty\t2\na\tx\t1\nc\tx\t9\nc\ty\t9\n"
    given = read_scores(write(tmp_path, "s.tsv", text))
    table = nlgauge.score(
        {"a": ["p", "q"], "b": ["p", "r"]}, ["p", "q"], metrics=["ter"], ids=["x", "y"]
    )
    joined = nlgauge.core.outputs.OutputScores.of_table(table).joined(given).table()
    assert joined.segment_scores("a", "comet").tolist() == [1, 2]
    assert joined.segment_scores("b", "comet").tolist() == [3, 4]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("s.tsv", "system\tid\tcomet\na\t1\thigh\n", r"s\.tsv, line 2: comet is 'high'"),
        ("s.tsv", "system\tid\tcomet\na\t1\t\n", r"s\.tsv, line 2: comet is empty"),
        ("s.tsv", "system\tid\tcomet\na\t1\tnan\n", "no finite number"),
        ("s.jsonl", '{"id": 1, "comet": null}\n', "line 1: comet is empty"),
        ("s.jsonl", '{"id": 1, "comet": true}\n', "line 1: comet is True"),
        ("s.jsonl", '{"id": 1, "scores": 3}\n', "scores is no object"),
        ("s.csv", "system,id,comet\na,1,2\na,1,3\n", r"line 3: comet .*'1' is given at .*line 2"),
        ("x-r.seg.score", "a\t1\nb\tNone\n", r"line 2: x is 'None'"),
        ("x-r.seg.score", "a\t1\nb\n", r"line 2: 1 fields"),
        (
            "s.jsonl",
            '{"id": 1, "a": 1, "b": 1}\n{"id": 2, "a": 1}\n',
            "no b for system 's', item '2'",
        ),
        ("s.tsv", "system\tid\n", "no scores"),
        ("s.tsv", "comet\n1\n", "no header row"),
    ],
)
def test_what_is_refused(name: str, text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=says):
        read_scores(write(tmp_path, name, text))


def test_what_else_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "s.tsv", TSV)
    with pytest.raises(SpecError, match=r"lower_is_better=bleu.*comet, judge"):
        read_scores(path, lower_is_better=["bleu"])
    with pytest.raises(SpecError, match=r"\.tsv, \.csv, \.jsonl"):
        read_scores(write(tmp_path, "s.txt", TSV))
    with pytest.raises(DataError, match="no such file"):
        read_scores(tmp_path / "none.tsv")
