"""Files that would take all memory, and texts in encodings that pass for UTF-8."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import pytest
from support.command_line import prepare

from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError, NlgaugeError, SpecError
from nlgauge.io import files, read_suite
from nlgauge.io.files import read_bytes, read_lines, read_utf8
from nlgauge.models.vectors.word_vectors import find_vectors

MIB = 1 << 20


@pytest.fixture
def small(monkeypatch):
    """Limits that tests reach in no time."""
    monkeypatch.setattr(files, "ALWAYS_UNPACKED", 4 * MIB)
    monkeypatch.setattr(files, "LONGEST_LINE", MIB)
    monkeypatch.setattr(files, "_BLOCK", MIB // 4)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", ["x.txt.gz", "x.vec.gz"])
def test_a_bomb_is_refused_in_bounded_memory(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(b"one and the same line\n" * (3 * MIB)))  # 66 MiB
    assert path.stat().st_size < MIB // 4
    tracemalloc.start()
    try:
        with pytest.raises(DataError, match=r"more than \d+ MiB and 50 times its size.*gunzip -k"):
            read_bytes(str(path)) if name == "x.txt.gz" else find_vectors(str(path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 40 * MIB


@pytest.mark.usefixtures("small")
def test_a_bomb_of_a_table_is_refused(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "x.parquet"
    same = ["one and the same line " * 50] * 50_000  # 52 MiB
    parquet.write_table(arrow.table({"hypothesis": same, "reference": same}), path)
    assert path.stat().st_size < MIB // 4
    with pytest.raises(DataError, match=r"more than \d+ MiB and 50 times its size.*\.jsonl"):
        read_suite(path)


@pytest.mark.usefixtures("small")
def test_what_real_files_are_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    short = b"the same line\n" * 1000  # packed to a hundredth, and small
    path.write_bytes(gzip.compress(short) + gzip.compress(b"a second member\n"))
    assert read_bytes(str(path)) == short + b"a second member\n"
    noise = b"".join(b"line %d of many\n" % (i * i) for i in range(300_000))  # 5 MiB and more
    path.write_bytes(gzip.compress(noise, 1))
    assert read_bytes(str(path)) == noise


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", ["x.txt", "x.tsv", "x.jsonl"])
def test_lines_without_end(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"id\n" + b"a" * (MIB + 1) + b"\nb\n")
    with pytest.raises(DataError, match=r"(line 2: is longer than 1 MiB|line 1.*JSON)"):
        read_suite(path, path)
    path.write_bytes(b"a" * MIB + b"\n" + b"a" * MIB + b"\n" * MIB)
    files.check_lines("x", path.read_bytes())


@pytest.mark.parametrize("text", ["Hello.\nA cat sat.\n", "Привет, кот.\nДа и нет.\n", "один\n"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_text_without_a_mark(tmp_path: Path, text: str, encoding: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(text.encode(encoding))
    if text == "один\n" and encoding.startswith("utf-16"):
        return  # a word alone has one NUL, which may be meant
    with pytest.raises(DataError, match=rf"is {encoding.upper()}, not .*--encoding {encoding}"):
        read_utf8(str(path))
    assert list(read_lines(str(path), encoding)) == text.splitlines()


def test_wide_text_with_a_mark(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes("Hello.\nA cat.\n".encode("utf-16"))
    with pytest.raises(DataError, match="--encoding utf-16"):
        read_utf8(str(path))


@pytest.mark.parametrize("data", [b"a\0b\n", b"\0\n", b"\0" * 9 + b"\n", b"a\0" * 2, b"word\0" * 9])
def test_a_nul_may_be_meant(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x").write_bytes(data)
    assert read_utf8(str(tmp_path / "x")) == data


def test_the_hint_names_the_option(tmp_path: Path, monkeypatch, capsys) -> None:
    prepare(tmp_path, monkeypatch)
    (tmp_path / "latin.txt").write_bytes("café\n".encode("latin-1") * 3)
    assert main(["score", "ref.txt", "-i", "latin.txt"]) == 3
    said = capsys.readouterr().err
    assert "--encoding cp1251 (Russian)" in said and "latin-1 (western Europe)" in said
    assert "Chinese" not in said and "Japanese" not in said  # whose bytes come in pairs
    for command in ("score", "explain"):
        assert main([command, "ref.txt", "-i", "latin.txt", "--encoding", "latin-1"]) == 0


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", "那只猫在厨房的旧桌子下面睡了一整天。"),
        ("big5", "那隻貓在廚房的舊桌子下面睡了一整天。"),
        ("shift_jis", "猫は一日中、台所の古い机の下で眠っていた。"),
        ("euc-kr", "고양이가 하루 종일 잤다."),
        ("cp1251", "Кошка весь день спала."),
        ("cp1256", "نامت القطة طوال اليوم."),
        ("cp874", "แมวนอนทั้งวัน"),
    ],
)
def test_the_hint_names_encodings_that_fit(tmp_path: Path, encoding: str, text: str) -> None:
    path = tmp_path / "old.txt"
    path.write_bytes(f"{text}\n".encode(encoding))
    with pytest.raises(DataError, match=rf"old\.txt, line 1: .*--encoding .*\b{encoding}\b"):
        read_utf8(str(path))
    assert read_utf8(str(path), encoding).decode() == f"{text}\n"


@pytest.mark.parametrize("encoding", ["hex", "undefined", "no\0such", "x"])
def test_encodings_that_are_none(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "x").write_text("a\n")
    with pytest.raises(SpecError, match="is not known to Python"):
        read_suite(tmp_path / "x", tmp_path / "x", encoding=encoding)


XML = """<?xml version="1.0" encoding="{}"?><dataset id="x"><doc id="d"><src lang="a"><p>
<seg id="1">{}</seg></p></src><ref lang="b"><p><seg id="1">é</seg></p></ref>
<hyp system="s"><p><seg id="1">é</seg></p></hyp></doc></dataset>"""


@pytest.mark.parametrize("encoding", ["utf-7", "cp1252", "latin1", "gb18030", "utf-8"])
def test_xml_in_many_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "x.xml"
    path.write_bytes(XML.format(encoding, "é").encode(encoding))
    assert list(read_suite(path).systems["s"].hypotheses) == ["é"]


@pytest.mark.parametrize("encoding", ["shift_jis", "hex", "xyzzy", "idna", "undefined"])
def test_xml_that_is_not_what_it_says(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "x.xml"
    path.write_bytes(XML.format(encoding, "é").encode("utf-8") + b"\xfe\xfe")
    with pytest.raises(DataError, match=r"x\.xml"):
        read_suite(path)


@pytest.mark.parametrize("data", [b"[" * 5000, b'{"a":' * 3000, b"0" * 6000, b"1e999", b"\xff"])
@pytest.mark.parametrize(
    "spec", ["cider(df={})", "pourpre(df={},weighting=idf)", "regression(path={})"]
)
def test_files_that_metrics_are_given(tmp_path: Path, spec: str, data: bytes) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(data)
    metric = registry.metric(spec.format(path))
    nuggets = [{"nuggets": [{"text": "a", "vital": True}]}]
    with pytest.raises(NlgaugeError, match=r"x\.json"):
        metric.evaluate(Corpus.build(["a"], ["a"], annotations=nuggets))
