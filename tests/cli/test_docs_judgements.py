"""The examples of docs/guide/judgements.md run as they stand."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from support.command_line import run

PAGE = (Path(__file__).parents[2] / "docs" / "guide" / "judgements.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ nlgauge (.+)$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_example(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in re.findall(r"\*\*(\S+)\*\*\n```\n(.*?)```", PAGE, re.DOTALL):
        Path(name).write_text(text, encoding="utf-8")
    assert run(capsys, *shlex.split(command))
