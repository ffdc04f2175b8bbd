"""The program ends without taking its modules apart, but loses nothing that was to be done."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

RUN = """
import atexit, sys
from nlgauge.cli import program
atexit.register(print, "at exit")
sys.argv = ["nlgauge", "score", "ref.txt", "-i", "hyp.txt", "-m", "bleu", "-b"]
{before}
code = program()
{after}
print("as usual", code)
"""


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", ["100.00", "at exit"]),
        (
            "sys.setprofile(lambda *_: None)",
            "sys.setprofile(None)",
            ["100.00", "as usual 0", "at exit"],
        ),
    ],
)
def test_all_is_written_and_who_listens_is_heard(
    tmp_path: Path, before: str, after: str, expected: list[str]
) -> None:
    for name in ("ref.txt", "hyp.txt"):
        (tmp_path / name).write_text("the cat sat on the mat\n")
    code = RUN.format(before=before, after=after)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:-1] == expected


@pytest.mark.skipif(sys.platform == "win32", reason="closes descriptors")
@pytest.mark.parametrize(
    ("closed", "code", "printed"),
    [
        (0, 3, "nlgauge: error: stdin: is empty; pipe the outputs in"),
        (1, 0, ""),
        (2, 0, "100.00"),
    ],
)
def test_standard_streams_may_be_closed(
    tmp_path: Path, closed: int, code: int, printed: str
) -> None:
    for name in ("ref.txt", "hyp.txt"):
        (tmp_path / name).write_text("the cat sat on the mat\n")
    hyps = [] if closed == 0 else ["-i", "hyp.txt"]
    done = subprocess.run(
        [sys.executable, "-m", "nlgauge", "score", "ref.txt", *hyps, "-m", "bleu", "-bq"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        preexec_fn=lambda: os.close(closed),
    )
    assert done.returncode == code, done.stderr
    assert (done.stdout + done.stderr).strip().startswith(printed)
    assert printed or done.stdout + done.stderr == ""


INTERRUPTED = """
import sys
from nlgauge.cli import program

class Name:
    def __set_name__(self, owner, name):
        raise KeyboardInterrupt  # in Python before 3.12 a RuntimeError comes of it

class Interrupted:
    def find_spec(self, name, *_):
        if name == {module!r}:
            if {in_class}:
                type("Owner", (), {{"name": Name()}})
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupted())
sys.argv = ["nlgauge", "score", "ref.txt", "-i", "ref.txt", "-m", "bleu"]
sys.exit(program())
"""


@pytest.mark.parametrize("in_class", [False, True])
@pytest.mark.parametrize("module", ["nlgauge.cli.scoring.score", "nlgauge.run.scoring"])
def test_ctrl_c_while_modules_are_imported_ends_without_a_traceback(
    tmp_path: Path, module: str, in_class: bool
) -> None:
    (tmp_path / "ref.txt").write_text("the cat sat on the mat\n")
    code = INTERRUPTED.format(module=module, in_class=in_class)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
