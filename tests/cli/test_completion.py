"""The completion of shells, as bash itself completes."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from support.command_line import run

from nlgauge.cli import COMMANDS


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["nlgauge", "sc"], "score"),
        (["nlgauge", "score", "--conf"], "--confidence"),
        (["nlgauge", "score", "r.txt", "-m", "bleu", "chrf-p"], "chrf-pp"),
        (["nlgauge", "meta", "--crit"], "--criterion"),
    ],
)
def test_bash(words: list[str], expected: str, capsys) -> None:
    script = run(capsys, "completion", "bash")
    listed = " ".join(f"'{word}'" for word in words)
    asked = f"COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}; _nlgauge; echo ${{COMPREPLY[@]}}"
    found = subprocess.check_output(["bash", "-c", script + asked], text=True).split()
    assert expected in found and all(word.startswith(words[-1]) for word in found)


def test_other_shells(capsys) -> None:
    assert run(capsys, "completion", "zsh").startswith("autoload -U +X bashcompinit")
    fish = run(capsys, "completion", "fish").splitlines()
    assert all(line.startswith("complete -c nlgauge -n ") for line in fish)
    assert all(name in fish[0] for name in COMMANDS)
