"""Files are written whole or not at all."""

import gzip
import math
import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from nlgauge.errors import DataError
from nlgauge.io import atomic_write, write_jsonl, write_tsv


def test_replaces_only_at_the_end(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("old")
    path.chmod(0o640)
    with atomic_write(path) as file:
        file.write("new ä\r\n")
        assert path.read_text() == "old"
    assert path.read_bytes() == "new ä\r\n".encode()
    assert path.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["out.txt"]


@pytest.mark.parametrize("name", ["out.txt", "out.txt.gz"])
def test_exception_leaves_everything_as_it_was(tmp_path, name):
    path = tmp_path / name
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), atomic_write(path) as file:
        file.write("half")
        raise KeyboardInterrupt
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_kill_leaves_no_half_file(tmp_path):
    code = """
        import os, signal, sys
        from nlgauge.io.write import atomic_write
        with atomic_write(sys.argv[1]) as file:
            file.write("half" * 100000)
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
    """
    path = tmp_path / "out.txt"
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code), path])
    assert done.returncode == -signal.SIGKILL
    assert not path.exists()


def test_gzip_is_reproducible(tmp_path):
    for name in ("a.gz", "b.gz"):
        with atomic_write(tmp_path / name) as file:
            file.write("text\n")
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"text\n"
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_stdout_links_and_devices(tmp_path, capsysbinary):
    with atomic_write("-") as file:
        file.write("ä\n")
    print("still open")
    assert capsysbinary.readouterr().out == "ä\nstill open\n".encode()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "target")
    with atomic_write(link) as file:
        file.write("x")
    assert link.is_symlink()
    assert (tmp_path / "target").read_text() == "x"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with atomic_write(pipe) as file:
        file.write("through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert pipe.is_fifo()


def test_places_that_cannot_be_written(tmp_path):
    with pytest.raises(DataError, match=r"is a folder; name a file"), atomic_write(tmp_path):
        pass
    path = tmp_path / "none" / "out"
    with pytest.raises(DataError, match=r"out: cannot be written .*folder exists"):
        write_tsv(path, ["a"], [])


def test_jsonl(tmp_path):
    path = tmp_path / "out.jsonl"
    write_jsonl(path, [{"ä": 0.1 + 0.2, "n": np.int64(3)}, {"x": np.float32(0.5), "y": [None]}])
    assert path.read_bytes().decode() == (
        '{"ä": 0.30000000000000004, "n": 3}\n{"x": 0.5, "y": [null]}\n'
    )


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (math.nan, "nan"),
        (-math.inf, "-inf"),
        (np.float32("nan"), "nan"),
        ([1, math.nan], r"\[1, nan\]"),
        ({1}, r"\{1\}"),
        ("\ud800", r"'\\ud800'"),
    ],
)
def test_jsonl_refuses_what_is_no_json(tmp_path, value, shown):
    path = tmp_path / "out.jsonl"
    with pytest.raises(DataError, match=rf"out\.jsonl, line 2: field 'b' is .*{shown}.*write null"):
        write_jsonl(path, [{"a": 1}, {"a": 1, "b": value}])
    assert not list(tmp_path.iterdir())


def test_tsv(tmp_path):
    path = tmp_path / "out.tsv"
    write_tsv(path, ["name", "score"], iter([["ä b", 0.1 + 0.2], ["", np.float64(1)], ["c", 7]]))
    assert path.read_bytes().decode() == ("name\tscore\nä b\t0.30000000000000004\n\t1.0\nc\t7\n")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (["a\tb", 1], r"out\.tsv, line 2: column 'name' holds a tab or line break.*use jsonl"),
        (["a\nb", 1], r"line 2: column 'name' holds a tab or line break"),
        (["a", math.nan], r"line 2: column 'score' is nan; leave the row out"),
        (["a", np.float32("inf")], r"line 2: column 'score' is inf"),
        (["a", None], r"line 2: column 'score' is NoneType None, expected text or a number"),
        (["\udc00", 1], r"line 2: column 'name' holds half a surrogate pair"),
        (["a"], r"out\.tsv, line 2: 1 cells for 2 columns"),
    ],
)
def test_tsv_refuses_what_it_cannot_hold(tmp_path, row, message):
    with pytest.raises(DataError, match=message):
        write_tsv(tmp_path / "out.tsv", ["name", "score"], [row])
    assert not list(tmp_path.iterdir())
