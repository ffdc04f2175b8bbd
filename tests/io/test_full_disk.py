"""What cannot be written is said in time, in our words; and nothing half-written stays."""

from __future__ import annotations

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from support.command_line import prepare, started

from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.data.corpus import Corpus
from nlgauge.data.run_context import RunContext
from nlgauge.errors import DataError
from nlgauge.io.write import atomic_write, check_file, check_folder
from nlgauge.models.cache import database, state_files
from nlgauge.models.cache.analysis_stores import ParseStore
from nlgauge.models.syntax.parsers import find_parser

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")


@pytest.fixture
def files(tmp_path: Path, monkeypatch) -> Path:
    return prepare(tmp_path, monkeypatch)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("option", "code", "message"),
    [
        (["--report", "none/x.html"], 3, "none/x.html: cannot be written"),
        (["-o", "none/x"], 3, "none/x: cannot be written"),
        (["--segments", "none/x.tsv"], 3, "none/x.tsv: cannot be written"),
        (["--segments", "x.txt"], 2, "must end in .jsonl or .tsv"),
        (["--figures", "ref.txt"], 3, "is a file; name a folder"),
        (["--figures", "ref.txt/x"], 3, "ref.txt"),
        (["--report", "."], 3, "is a folder; name a file in it"),
        (["--report", "x" * 300], 3, "File name too long"),
        (["--embedding-cache", "ref.txt"], 3, "is a file; name a folder"),
        (["--report", "a\0b"], 3, "a NUL is in the name"),
    ],
)
def test_paths_are_checked_before_work(monkeypatch, capsys, option, code, message) -> None:
    def work(*_: object, **__: object) -> None:
        raise AssertionError("work has started")

    monkeypatch.setattr("nlgauge.run.scoring.score_suite", work)
    before = sorted(Path().iterdir())
    assert main(["score", "ref.txt", "-i", "sysA.txt", *option]) == code
    captured = capsys.readouterr()
    assert message in captured.err and captured.out == ""
    assert sorted(Path().iterdir()) == before


@pytest.mark.usefixtures("files")
def test_a_format_that_needs_a_package(monkeypatch, capsys) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    given = ["score", "ref.txt", "-i", "sysA.txt", "--figures", "f", "--figure-format", "png"]
    assert main(given) == 4
    assert "nlgauge fetch plots" in capsys.readouterr().err
    assert main(["explain", "--hyp", "a", "--ref", "a", "--picture", "x.gif"]) == 2


def test_a_folder_is_called_as_it_was_given(tmp_path: Path, monkeypatch) -> None:
    def refuses(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("os.fsync", refuses)
    with pytest.raises(DataError, match=r"a/b: cannot be written \(Read-only file system\)"):
        check_folder(tmp_path / "a" / "b")
    assert not list(tmp_path.iterdir())


def test_a_check_leaves_nothing(tmp_path: Path) -> None:
    long = tmp_path / ("n" * 250)
    check_file(long)
    check_folder(tmp_path / "a" / "b")
    assert not list(tmp_path.iterdir())
    with atomic_write(long) as file:  # as long as names can be
        file.write("x")
    assert long.read_text() == "x"


@needs_full
@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "option", [["-o", "/dev/full"], ["--report", "/dev/full"], ["-f", "json", "-o", "/dev/full"]]
)
def test_a_full_device(capsys, option: list[str]) -> None:
    assert main(["score", "ref.txt", "-i", "sysA.txt", *option]) == 3
    assert "/dev/full: cannot be written (No space left on device); free" in capsys.readouterr().err


@needs_full
@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("format", ["text", "json", "tsv"])
def test_standard_output_on_a_full_disk(format: str) -> None:
    with FULL.open("wb") as full:
        done = started("score", "ref.txt", "-i", "sysA.txt", "-f", format, stdout=full)
    assert done.returncode == 3
    assert b"No space left" in done.stderr and b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "option", [["--report", "r.html"], ["--segments", "s.jsonl"], ["--figures", "f"], ["-o", "o"]]
)
def test_a_disk_that_fills_up(files: Path, option: list[str]) -> None:
    """A limit to the size of files stands for it: the system then refuses to write on."""
    (files / "ref.txt").write_text("the cat sat on a mat\n" * 200)
    for name in ("sysA.txt", "sysB.txt"):
        (files / name).write_text("".join(f"the cat sat on {i % 50} mats\n" for i in range(200)))
    if option[0] == "-o":
        option = ["-m", *(f"bleu(max_order={n})" for n in range(1, 9)), "-f", "json", *option]
    limit = 4096 if option[0] != "--report" else 8192

    def few_bytes() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    if option[0] == "--figures":
        option = ["-m", "bleu", "chrf", *option]
    systems = ["sysA.txt", "sysB.txt"]
    done = started("score", "ref.txt", "-i", *systems, *option, preexec_fn=few_bytes)
    assert b"Traceback" not in done.stderr
    assert done.returncode == 3, done.stderr
    assert b"cannot be written (File too large); free some space" in done.stderr
    left = {p.name for p in files.rglob("*") if p.is_file()}
    assert not {name for name in left if ".tmp" in name or name in ("r.html", "s.jsonl", "o")}


def test_a_program_that_is_ended_cleans_up(tmp_path: Path) -> None:
    code = (
        "import sys, time\\nfrom nlgauge import cli\\ncli._end_cleanly()\\n"
        "from nlgauge.io.write import atomic_write\\n"
        "with atomic_write('out') as f:\\n f.write('x'); print('ready', flush=True); time.sleep(30)"
    ).replace("\\n", "\n")
    process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 143
    process.stdout.close()
    assert not list(tmp_path.iterdir())


def parsed(folder: Path) -> None:
    corpus = Corpus.build(["a b c"], ["a b d"]).within(RunContext(parse_cache=str(folder)))
    registry.metric("hwcm(parser=chain,order=2)").evaluate(corpus)


def the_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_a_cache_that_another_run_uses(tmp_path: Path, monkeypatch) -> None:
    parsed(tmp_path)
    path = the_file(tmp_path)
    contents = path.read_bytes()
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(DataError, match="another run is using it; wait") as raised:
        parsed(tmp_path)
    assert "delete" not in str(raised.value)
    other.close()
    parsed(tmp_path)
    assert path.read_bytes() == contents


@pytest.mark.parametrize(
    "data", [b"no zlib", "text", __import__("zlib").compress(b"[[1, 2]"), 7,
             __import__("zlib").compress(b"[" * 5000), __import__("zlib").compress(b"[[1, 2]]")]
)  # fmt: skip
def test_damaged_entries(tmp_path: Path, data: object) -> None:
    parsed(tmp_path)
    with sqlite3.connect(the_file(tmp_path)) as connection:
        connection.execute("UPDATE found SET data = ?", (data,))
    with pytest.raises(DataError, match=r"is damaged .*delete the file, which is only a cache"):
        parsed(tmp_path)


@pytest.mark.parametrize("place", range(100, 12_000, 1700))
def test_a_cache_damaged_in_the_middle(tmp_path: Path, place: int) -> None:
    def value() -> float:
        corpus = Corpus.build([f"a b c {i}" for i in range(60)], [f"a b d {i}" for i in range(60)])
        kept = corpus.within(RunContext(parse_cache=str(tmp_path)))
        return registry.metric("hwcm(parser=chain,order=2)").evaluate(kept).value

    expected = value()
    path = the_file(tmp_path)
    data = bytearray(path.read_bytes())
    data[place : place + 900] = os.urandom(900)
    path.write_bytes(data)
    try:
        assert value() == expected
    except DataError as error:
        assert str(path) in str(error)


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    store = ParseStore(find_parser("chain"), str(tmp_path))
    monkeypatch.setattr(database.sqlite3, "connect", full)
    with pytest.raises(DataError, match="free some space, or name a folder on another disk"):
        store.parses(["a b"])


def test_vectors_that_fit_nowhere(monkeypatch) -> None:
    import numpy as np

    temporary = state_files.TemporaryStates(4)
    if not FULL.exists():
        pytest.skip("needs /dev/full")
    with FULL.open("wb", buffering=0) as full:
        monkeypatch.setattr(temporary, "_file", full)
        with pytest.raises(DataError, match="set TMPDIR to another folder"):
            temporary.write({(b"x", 1): np.ones((2, 4), np.float32)})


def test_vectors_of_another_width(tmp_path: Path) -> None:
    import numpy as np

    kept = state_files.KeptStates(str(tmp_path), "model", 4)
    kept.write({(b"x", 1): np.ones((1, 3), np.float32)})
    with pytest.raises(DataError, match="is damaged"):
        kept.read((b"x", 1))
    with pytest.raises(DataError, match="is damaged"):
        kept.read((b"y", 1))


@pytest.mark.usefixtures("files")
def test_a_model_says_how_to_use_it(capsys) -> None:
    rows = [
        {"id": i, "system": "s", "references": ["a b c d"], "hypothesis": "a b c d"[: i % 8],
         "human": {"q": (i % 8) + (i * 7 % 3) / 9}}
        for i in range(40)
    ]  # fmt: skip
    Path("judged.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = ["regress", "judged.jsonl", "-m", "chrf", "--save", "my model.json"]
    assert main(given) == 0
    out = capsys.readouterr().out
    assert "-m 'regression(path=my model.json)'" in out
    assert main(["score", "ref.txt", "-i", "sysA.txt", "-m", "regression(path=my model.json)"]) == 0
