"""Files for the command line, and how it is run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import nlgauge
from nlgauge.cli import main

HYPS = ["The cat sat on the mat today.", "A dog runs in the park.", "It rains a lot here."]
WORSE = ["The cat sat.", "A dog.", "Rain here."]
REFS1 = ["The cat sat on a mat today.", "The dog runs in a park.", "It rains a lot here."]
REFS2 = ["A cat was on the mat.", "A dog ran in the park.", "Here, it rains a lot."]


def write(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def prepare(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files above, in the folder the command runs in."""
    write(folder / "ref.txt", REFS1)
    write(folder / "ref2.txt", REFS2)
    write(folder / "sysA.txt", HYPS)
    write(folder / "sysB.txt", WORSE)
    monkeypatch.chdir(folder)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return folder


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command that succeeds without a word on stderr prints."""
    assert main(list(arguments)) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def started(*arguments: str, env: dict[str, str] | None = None, **options: Any) -> Any:
    """A process of its own, with the package that is being tested."""
    source = str(Path(nlgauge.__file__).parents[1])
    paths = [source, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**(os.environ if env is None else env), "PYTHONPATH": os.pathsep.join(paths)}
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 60, **options}
    command = [sys.executable, "-m", "nlgauge", *arguments]
    return subprocess.run(command, env=environment, check=False, **options)
