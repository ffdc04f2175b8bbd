"""Files as people have them: named systems and columns, JSON arrays, Excel, WebNLG and ToTTo."""

from __future__ import annotations

import json
from pathlib import Path

import openpyxl
import pytest
from support.command_line import write

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


def test_webnlg_in_two_languages(tmp_path: Path) -> None:
    """The Russian corpus has the English texts that were translated beside the Russian ones."""
    entry = (
        '<entry category="City" eid="Id1" size="1"><modifiedtripleset><mtriple>Rome | country | '
        'Italy</mtriple></modifiedtripleset><lex lang="en">Rome is in Italy.</lex>'
        '<lex lang="ru">Рим находится в Италии.</lex><lex lang="ru">Рим в Италии.</lex></entry>'
    )
    text = f"<benchmark><entries>{entry}</entries></benchmark>"
    (tmp_path / "ru.xml").write_text(text, encoding="utf-8")
    write(tmp_path / "out.txt", ["Рим в Италии."])
    with pytest.raises(DataError, match=r"\(en, ru\).*--columns reference=lex:ru"):
        read_suite("ru.xml", "out.txt")
    for code, count in (("ru", 2), ("en", 1)):
        columns = ColumnNames.parse([f"reference=lex:{code}"])
        (corpus,) = read_suite("ru.xml", "out.txt", columns=columns)
        assert len(corpus.references[0]) == count
        assert (corpus.references[0][0] == "Rome is in Italy.") == (code == "en")
        assert corpus.tables is not None


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


def test_texts_in_arrays(tmp_path: Path) -> None:
    write(tmp_path / "lines.txt", ["a cat", "a dog"])
    (tmp_path / "one.json").write_text('["the cat", "the dog\\nsat"]', encoding="utf-8")
    several = ' [ ["a cat", "the cat"],\n["a dog"] ]'
    (tmp_path / "several.json").write_text(several, encoding="utf-8-sig")
    with pytest.warns(NlgaugeWarning, match="byte order mark"):
        suite = read_suite(
            [tmp_path / "several.json", tmp_path / "lines.txt"],
            [f"mine={tmp_path / 'one.json'}", str(tmp_path / "lines.txt")],
            sources=tmp_path / "one.json",
        )
    assert list(suite.systems) == ["mine", "lines"]
    assert list(suite.systems["mine"].hypotheses) == ["the cat", "the dog\nsat"]
    assert list(suite.systems["lines"].hypotheses) == ["a cat", "a dog"]
    for corpus in suite:
        assert list(corpus.references) == [["a cat", "the cat", "a cat"], ["a dog", "a dog"]]
        assert list(corpus.sources or ()) == ["the cat", "the dog\nsat"]


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        ('["one"]', r"ref.txt: 2, .*out.json: 1"),
        ('["one", 2]', "entry 2: 2, expected a text"),
        ('["one", ["two", "more"]]', "entry 2: 2 texts, expected one"),
        ('["one", "two"', "out.json, line 1.*not valid JSON"),
        ('[{"text": "one"}, {"text": "two"}]', "holds records of JSON"),
        ('{"0": "one"}', "holds records of JSON"),
    ],
)
def test_arrays_that_are_none_of_texts(tmp_path: Path, outputs: str, message: str) -> None:
    write(tmp_path / "ref.txt", ["a cat", "a dog"])
    (tmp_path / "out.json").write_text(outputs, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_suite(tmp_path / "ref.txt", tmp_path / "out.json")


@pytest.mark.parametrize("stream", [False, True])
def test_records_are_not_scored_as_texts(tmp_path: Path, capsys, stream: bool) -> None:
    """Lines of JSON have as many lines as the references, so that their number tells nothing."""
    write(tmp_path / "ref.txt", ["a cat", "a dog"])
    write(tmp_path / "out.jsonl", ['{"hypothesis": "a cat"}', '{"hypothesis": "a dog"}'])
    given = ["score", str(tmp_path / "ref.txt"), "-i", str(tmp_path / "out.jsonl")]
    assert main([*given, "--stream"] if stream else given) == 3
    assert "out.jsonl: holds records of JSON" in capsys.readouterr().err


def test_outputs_that_are_the_references(tmp_path: Path) -> None:
    write(tmp_path / "ref.txt", ["a cat", "a dog"])
    write(tmp_path / "out.txt", ["a cat", "a dog"])
    with pytest.warns(NlgaugeWarning, match=r"outputs of out .*are the references .*ref\.txt"):
        read_suite(tmp_path / "ref.txt", tmp_path / "out.txt")


def test_an_empty_last_line(tmp_path: Path) -> None:
    write(tmp_path / "ref.txt", ["a cat", "a dog", ""])
    write(tmp_path / "out.txt", ["the cat", "the dog"])
    with pytest.raises(DataError, match=r"the last line of .*ref\.txt is empty: delete it"):
        read_suite(tmp_path / "ref.txt", tmp_path / "out.txt")
    write(tmp_path / "out.txt", ["the cat", "the dog", ""])
    with pytest.warns(NlgaugeWarning, match="the last line of .* is empty and counts as a segment"):
        read_suite(tmp_path / "ref.txt", tmp_path / "out.txt")
    write(tmp_path / "out.txt", ["the cat"])
    with pytest.raises(DataError, match=r"in the same order$"):
        read_suite(tmp_path / "ref.txt", tmp_path / "out.txt")


@pytest.mark.parametrize(
    ("record", "remedy"),
    [
        (
            {"summary": "a", "document": "b", "target": "c"},
            "--columns hypothesis=summary,source=document",
        ),
        ({"answer": "a", "Gold": "b"}, "--columns hypothesis=answer,reference=Gold"),
        ({"hypothesis": "a", "label": "b"}, "--columns reference=label"),
    ],
)
def test_columns_that_are_called_otherwise(tmp_path: Path, capsys, record, remedy: str) -> None:
    write(tmp_path / "data.jsonl", [json.dumps(record)])
    assert main(["score", "data.jsonl", "-m", "chrf"]) == 3
    warning = capsys.readouterr().err.splitlines()[0]
    assert warning.endswith(f"Say what a field holds, such as {remedy}")
    assert main(["score", "data.jsonl", "-m", "chrf", *remedy.split()]) == 0


def test_a_header_row_of_other_names_is_told_which_is_which(tmp_path: Path) -> None:
    write(tmp_path / "data.csv", ["article,summary,highlights", "a b,c,d"])
    remedy = r"which is which: --columns hypothesis=summary,reference=highlights,source=article "
    with pytest.raises(DataError, match=remedy):
        read_suite("data.csv")


def test_lists_of_references_as_questions_have_them(tmp_path: Path) -> None:
    answers = {"text": ["the cat", "cat"], "answer_start": [3, 7]}  # of SQuAD
    write(tmp_path / "squad.jsonl", [json.dumps({"prediction": "x", "answers": answers})])
    write(tmp_path / "refs.jsonl", [json.dumps({"hyp": "x", "refs": ["the cat", "cat"]})])
    for name, columns in (("squad.jsonl", {"reference": "answers"}), ("refs.jsonl", {})):
        (corpus,) = read_suite(name, columns=columns)
        assert list(corpus.references[0]) == ["the cat", "cat"]


def test_a_column_without_a_name(tmp_path: Path) -> None:
    """pandas writes its index so."""
    write(tmp_path / "data.csv", [",hypothesis,reference", "0,a,b"])
    with pytest.warns(NlgaugeWarning, match="ignored a column without a name, such as the index"):
        read_suite("data.csv")


@pytest.mark.parametrize(
    ("name", "header", "message"),
    [
        ("data.tsv", "hypothesis;reference", "semicolons stand between the columns; call it .csv"),
        ("data.csv", "hypothesis\treference", "tabs stand between the columns; call it .tsv"),
        ("data.tsv", "hypothesis,reference", "commas stand between the columns; call it .csv"),
    ],
)
def test_other_separators(tmp_path: Path, name: str, header: str, message: str) -> None:
    write(tmp_path / name, [header])
    with pytest.raises(DataError, match=message):
        read_suite(name)


def test_a_csv_file_that_excel_wrote_in_germany(tmp_path: Path) -> None:
    """With semicolons, CRLF, and quotes around cells that hold one."""
    lines = ['"Text, kurz";Ziel', '"a cat; black";the cat', "b, c;b, d"]
    (tmp_path / "data.csv").write_bytes("\r\n".join([*lines, ""]).encode())
    suite = read_suite("data.csv", columns={"hypothesis": "Text, kurz", "reference": "Ziel"})
    (corpus,) = suite
    assert list(corpus.hypotheses) == ["a cat; black", "b, c"]
    assert [list(refs) for refs in corpus.references] == [["the cat"], ["b, d"]]


def test_utf8_that_is_read_as_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_bytes("café".encode())
    (tmp_path / "out.txt").write_bytes("café".encode("latin-1"))
    with pytest.warns(NlgaugeWarning, match=r"ref\.txt: is read as latin-1, but it is valid UTF-8"):
        read_suite("ref.txt", "out.txt", encoding="latin-1")
    (tmp_path / "ref.txt").write_bytes(b"plain letters")
    read_suite("ref.txt", "out.txt", encoding="latin-1")  # nothing to say
