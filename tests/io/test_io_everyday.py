"""Files as people have them: named systems and columns, JSON arrays, Excel, WebNLG and ToTTo."""

from __future__ import annotations

import json
from pathlib import Path

import openpyxl
import pytest

from nlgauge.cli import main
from nlgauge.errors import DataError, NlgaugeWarning, SpecError
from nlgauge.io import read_outputs, read_suite
from nlgauge.io.column_names import ColumnNames
from nlgauge.run.scoring import score_suite


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("ref.txt").write_text("a b\nc d\n", encoding="utf-8")
    Path("1.txt").write_text("a b\nc x\n", encoding="utf-8")
    Path("2.txt").write_text("a x\nx x\n", encoding="utf-8")
    return tmp_path


def test_systems_have_the_names_given() -> None:
    suite = read_suite("ref.txt", ["north=1.txt", "2.txt"])
    assert list(suite.systems) == ["north", "2"]
    assert list(suite.systems["north"].hypotheses) == ["a b", "c x"]
    assert list(read_suite("ref.txt", ["2.txt", "b=1.txt"]).systems) == ["2", "b"]
    Path("x=y.txt").write_text("a\nb\n", encoding="utf-8")
    assert list(read_suite("ref.txt", ["x=y.txt"]).systems) == ["x=y"]
    with pytest.raises(DataError, match="same file"):
        read_suite("ref.txt", ["a=1.txt", "1.txt"])
    with pytest.raises(DataError, match="same name"):
        read_suite("ref.txt", ["a=1.txt", "a=2.txt"])
    assert main(["score", "ref.txt", "-i", "north=1.txt", "south=2.txt", "-m", "wer", "-q"]) == 0


ROWS = [
    {"prediction": "a b", "target": "a b", "doc": "x", "good": "4", "human": "no"},
    {"prediction": "c x", "target": "c d", "doc": "y", "good": "[1, 2]", "human": "no"},
]
NAMES = ColumnNames.parse(["reference=target,id=doc", "human=good"])


def written(format: str) -> str:
    if format == "csv":
        lines = [",".join(ROWS[0]), *(",".join(f'"{v}"' for v in row.values()) for row in ROWS)]
        text = "\n".join(lines) + "\n"
    else:
        rows = [{**row, "good": json.loads(row["good"])} for row in ROWS]
        lines = [json.dumps(row) for row in rows]
        text = json.dumps(rows) if format == "json" else "".join(f"{line}\n" for line in lines)
    Path(f"data.{format}").write_text(text, encoding="utf-8")
    return f"data.{format}"


@pytest.mark.parametrize("format", ["csv", "jsonl", "json"])
def test_columns_are_named(format: str) -> None:
    suite = read_suite(written(format), columns=NAMES)
    corpus = suite.systems["data"]
    assert (list(corpus.references), corpus.ids) == ([["a b"], ["c d"]], ["x", "y"])
    _, judgements = read_outputs(f"data.{format}", columns=NAMES)
    assert judgements is not None
    assert judgements.value.tolist() == [4, 1, 2]
    assert list(judgements.criterion.names) == ["good"]


def test_columns_on_the_command_line(capsys) -> None:
    columns = ["--columns", "reference=target,id=doc,human=good"]
    assert main(["score", written("csv"), *columns, "-m", "wer", "-b"]) == 0
    assert capsys.readouterr().out == "0.2500\n"
    assert main(["score", "data.csv", "--columns", "reference=tarket,human=good", "-m", "wer"]) == 3
    assert "line 2: no column 'tarket'; did you mean target?" in capsys.readouterr().err
    assert main(["score", "data.csv", "--columns", "refrence=target"]) == 2
    assert "did you mean reference" in capsys.readouterr().err
    assert main(["explain", "data.csv", *columns, "-n", "y", "-m", "ter"]) == 0
    with pytest.raises(SpecError, match="columns: only for records"):
        read_suite("ref.txt", "1.txt", columns=NAMES)


def test_spreadsheets() -> None:
    book = openpyxl.Workbook()
    book.active.append(["hypothesis", "reference1", "reference2"])
    book.active.append(["a b", "a b", None])
    book.active.append(["c x", "c d", "c x"])
    book.save("data.xlsx")
    corpus = read_suite("data.xlsx").systems["data"]
    assert list(corpus.references) == [["a b"], ["c d", "c x"]]
    Path("bad.xlsx").write_bytes(b"no zip")
    with pytest.raises(DataError, match=r"bad\.xlsx: cannot be read as an Excel file"):
        read_suite("bad.xlsx")


WEBNLG = """<?xml version="1.0" encoding="UTF-8"?>
<benchmark>
  <entries>
    <entry category="Airport" eid="Id1" size="1">
      <originaltripleset><otriple>A_Airport | cityServed | "B"</otriple></originaltripleset>
      <modifiedtripleset><mtriple>A_Airport | cityServed | "B"</mtriple></modifiedtripleset>
      <lex comment="good" lid="Id1">A airport serves the city of B.</lex>
      <lex comment="good" lid="Id2">B is served by A airport.</lex>
    </entry>
  </entries>
</benchmark>
"""


def test_webnlg_as_published() -> None:
    Path("webnlg.xml").write_text(WEBNLG, encoding="utf-8")
    Path("out.txt").write_text("A airport serves the city of B.\n", encoding="utf-8")
    suite = read_suite("webnlg.xml", ["out.txt"])
    corpus = suite.systems["out"]
    assert list(corpus.references) == [
        ["A airport serves the city of B.", "B is served by A airport."]
    ]
    assert corpus.ids == ["Airport/1/Id1"]
    assert corpus.tables == [["A_Airport", "cityServed", '"B"']] or corpus.tables == [
        [["A_Airport", "cityServed", '"B"']]
    ]
    table = score_suite(suite, ["parent", "bleu"])
    assert table["bleu"].score == pytest.approx(100)
    assert table["parent"].value > 0.5
    Path("bad.xml").write_text(WEBNLG.replace(" | cityServed | ", " - "), encoding="utf-8")
    with pytest.raises(DataError, match=r"bad.xml, entry 1: .*subject \| property \| object"):
        read_suite("bad.xml", ["out.txt"])
    Path("bad.xml").write_text(WEBNLG[:200], encoding="utf-8")
    with pytest.raises(DataError, match=r"bad\.xml: not valid XML"):
        read_suite("bad.xml", ["out.txt"])


def test_totto_as_published() -> None:
    cell = {"column_span": 1, "row_span": 1}
    record = {
        "example_id": 7,
        "table_page_title": "A",
        "table_section_title": "B",
        "table_section_text": "",
        "table_webpage_url": "http://localhost",
        "table": [
            [{"is_header": True, "value": "Year", **cell}],
            [{"is_header": False, "value": "1990", **cell}],
        ],
        "highlighted_cells": [[1, 0]],
        "sentence_annotations": [
            {"original_sentence": "x", "final_sentence": "A was in 1990."},
            {"original_sentence": "x", "final_sentence": "It was 1990."},
        ],
    }
    Path("totto.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    Path("out.txt").write_text("A was in 1990.\n", encoding="utf-8")
    suite = read_suite("totto.jsonl", ["out.txt"])
    corpus = suite.systems["out"]
    assert (corpus.ids, list(corpus.references)) == (["7"], [["A was in 1990.", "It was 1990."]])
    table = score_suite(suite, ["parent", "bleu"])
    assert table["bleu"].score == pytest.approx(100)
    assert table["parent"].value > 0.5


def test_mistyped_fields_get_a_suggestion() -> None:
    Path("data.jsonl").write_text(
        '{"hypothesis": "a", "reference": "a", "sorce": "b"}\n', encoding="utf-8"
    )
    with pytest.warns(NlgaugeWarning, match=r"'sorce' \(did you mean source"):
        read_suite("data.jsonl")
