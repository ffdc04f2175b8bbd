"""Files, names and streams that users have and no format foresees."""

import bz2
import io
import lzma
import resource
import sqlite3
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.command_line import HYPS, prepare, started

import nlgauge
from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.errors import DataError, NlgaugeError, NlgaugeWarning
from nlgauge.io import files, read_judgements, read_suite

pytestmark = pytest.mark.usefixtures("folder")
LONG_NAME = "a" * 300


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return prepare(tmp_path, monkeypatch)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that a command says instead of a result."""
    assert main(list(arguments)) in (2, 3, 4)
    captured = capsys.readouterr()
    assert captured.err.startswith("nlgauge: error: ") and captured.err.count("\n") == 1
    assert captured.out == ""
    return captured.err


def test_names_that_are_too_long(capsys) -> None:
    with pytest.raises(DataError, match=r"cannot be read \(File name too long"):
        read_suite("ref.txt", systems=[f"{LONG_NAME}.txt"])
    with pytest.raises(DataError, match="File name too long"):
        read_judgements(f"{LONG_NAME}.tsv")
    assert "File name too long" in told(capsys, "score", LONG_NAME, "-i", "sysA.txt")
    assert "File name too long" in told(capsys, "meta", f"{LONG_NAME}.jsonl", "-m", "chrf")


@pytest.mark.parametrize(
    "spec",
    [
        "emb-avg(vectors=X)",
        "bertscore(model=X)",
        "hwcm(parser=X)",
        "stm(trees=X)",
        "meant(roles=X)",
        "perplexity(model=X)",
        "bleu(tokenizer=spm:X)",
        "bleu(tokenizer=spm:X.model)",
        "gauge(model=X)",
        "comet(model=X)",
    ],
)
def test_options_whose_names_are_too_long(spec: str) -> None:
    with pytest.raises(NlgaugeError, match="aaaa"):
        metric = registry.metric(spec.replace("X", LONG_NAME))
        metric.resources()
        metric.evaluate(nlgauge.Corpus.build(["a"], ["a"], sources=["a"]))


def test_an_error_of_the_system_that_nobody_foresaw_names_its_file(capsys, monkeypatch) -> None:
    def fail(_: str) -> bytes:
        raise OSError(5, "Input/output error", "/net/share/ref.txt")

    monkeypatch.setattr(files, "read_bytes", fail)
    said = told(capsys, "score", "ref.txt", "-i", "sysA.txt")
    assert "/net/share/ref.txt: Input/output error; check the path" in said


def test_line_ends_of_old_macs(folder: Path) -> None:
    mac = "\r".join(HYPS).encode()
    for data in (mac, mac + b"\r", mac + b"\n"):
        (folder / "mac.txt").write_bytes(data)
        with pytest.warns(NlgaugeWarning, match=r"mac.txt: has \d carriage returns .*tr '\\r'"):
            assert len(read_suite([], systems=["mac.txt"])) == 1
    # A stray one in a file with lines is a character like others.
    (folder / "stray.txt").write_bytes(b"one\rtwo\nthree\nfour\n")
    assert len(read_suite([], systems=["stray.txt"])) == 3


@pytest.mark.parametrize("other", ["-", "/dev/fd/0", "/proc/self/fd/0"])
def test_standard_input_by_any_name_is_read_once(capsys, other: str) -> None:
    said = told(capsys, "score", "/dev/stdin", "-i", other, "-m", "bleu")
    assert "stdin can be read only once" in said


def test_nothing_on_standard_input_says_what_to_type(folder: Path) -> None:
    done = started("score", "ref.txt", "sysA.txt", "-m", "bleu", input=b"", cwd=folder)
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.decode().startswith("nlgauge: error: stdin: is empty; pipe the outputs in")


@pytest.mark.parametrize("name", ["one.txt", "one.jsonl", "one.tsv"])
def test_a_line_of_gigabytes_is_refused_before_it_is_in_memory(folder: Path, name: str) -> None:
    with (folder / name).open("wb") as file:
        file.write(b"a first line\n")
        file.truncate(2 << 30)  # zeros, which take no room
    limit = 1 << 30

    def little_memory() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    arguments = ["score", *(["ref.txt", "-i"] if name.endswith("txt") else []), name, "-m", "bleu"]
    done = started(*arguments, "--threads", "1", cwd=folder, preexec_fn=little_memory)
    assert f"{name}, line 2: is longer than 64 MiB" in done.stderr.decode()
    assert done.returncode == 3


@pytest.mark.parametrize("blocks", [(40, 40), (64, 1), (63, 70)])
def test_lines_across_blocks(folder: Path, monkeypatch, blocks: tuple[int, int]) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 64)
    monkeypatch.setattr(files, "_BLOCK", 16)
    (folder / "lines.txt").write_bytes(b"\n".join(b"x" * size for size in blocks) + b"\n")
    if max(blocks) <= 64:
        files.refuse_long_lines("lines.txt")
    else:
        with pytest.raises(DataError, match="line 2: is longer"):
            files.refuse_long_lines("lines.txt")


def zipped() -> bytes:
    with zipfile.ZipFile(packed := io.BytesIO(), "w") as file:
        file.writestr("texts.txt", "a cat\n")
    return packed.getvalue()


def database() -> bytes:
    with TemporaryDirectory() as folder:
        made = sqlite3.connect(path := Path(folder, "made.db"))
        made.execute("create table texts (text)")
        made.close()
        return path.read_bytes()


def array() -> bytes:
    np.save(saved := io.BytesIO(), np.array(["a cat"]))
    return saved.getvalue()


def parquet() -> bytes:
    pq.write_table(pa.table({"text": ["a cat"]}), written := io.BytesIO())
    return written.getvalue()


NO_TEXT = {
    "bzip2; unpack it": bz2.compress(b"a cat\n"),
    "xz; unpack it": lzma.compress(b"a cat\n"),
    "a zip archive": zipped(),
    "a SQLite database; export": database(),
    "an array of NumPy": array(),
    "a Parquet file; rename": parquet(),
    "a PDF; extract": b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n",
    "holds NUL bytes, so it is no text": b"\x7fELF\2\1\0\0\xff\n",
}


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
@pytest.mark.parametrize("message", NO_TEXT)
def test_files_that_are_no_text_are_not_a_matter_of_encoding(message: str, encoding: str) -> None:
    Path("given").write_bytes(NO_TEXT[message])
    if "NUL" in message and encoding != "utf-8":
        return  # whoever names an encoding may mean it
    with pytest.raises(DataError, match=message) as caught:
        files.read_utf8("given", encoding)
    assert "--encoding" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["PAR1 is a gene\n", "BZh is a chord\n", "%PDF- is how it starts\n"]
)
def test_texts_that_begin_like_other_files_are_texts(text: str) -> None:
    Path("given").write_text(text)
    assert files.read_utf8("given").decode() == text


def test_an_empty_spreadsheet_is_told_once(capsys) -> None:
    Path("empty.xlsx").touch()
    message = told(capsys, "score", "empty.xlsx", "-m", "bleu")
    assert message.count("empty.xlsx") == 1


def test_a_name_that_is_no_utf8_is_written_as_far_as_it_can_be(folder: Path, capsys) -> None:
    name = b"s\xff.txt".decode("utf-8", "surrogateescape")
    (folder / name).write_text("\n".join(HYPS) + "\n", "utf-8")
    assert main(["score", "ref.txt", "-i", name, "-m", "bleu", "--segments", "seg.jsonl"]) == 0
    capsys.readouterr()
    assert r'"system": "s\\udcff"' in (folder / "seg.jsonl").read_text("utf-8")


@pytest.mark.parametrize("option", ["--report", "--html"])
def test_a_page_is_named_as_one(capsys, option: str) -> None:
    command = ["score", "ref.txt"] if option == "--report" else ["explain", "x.jsonl"]
    said = told(capsys, *command, option, "page.pdf")
    assert "--report page.pdf: the page is HTML, so name it NAME.html; a browser prints" in said
