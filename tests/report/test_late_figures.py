"""Figures and pages are loaded only by those who ask for a report."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.command_line import prepare, write

COMMANDS = {
    "score": ("ref.txt", "-i", "sysA.txt", "sysB.txt"),
    "compare": ("ref.txt", "-i", "sysA.txt", "sysB.txt", "--trials", "20", "--resamples", "20"),
    "explain": ("ref.txt", "-i", "sysA.txt", "-m", "bleu", "ter"),
    "agree": ("rated.jsonl", "-cin", "20"),
    "robustness": ("ref.txt", "-m", "ter", "--perturbations", "empty"),
    "orange": ("ref.txt", "ref2.txt", "-i", "sysA.txt", "-m", "chrf"),
    "recommend": ("--task", "mt"),
}

# Runs a command, and says which of these packages it has loaded.
CODE = """
import sys
from nlgauge.cli import main
assert main(sys.argv[1:]) == 0
heavy = tuple(f"nlgauge.report.{name}" for name in ("figures", "pages", "pictures"))
print([name for name in sys.modules if name.startswith(heavy)], file=sys.stderr)
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_text_needs_no_figures(tmp_path: Path, monkeypatch, command: str) -> None:
    prepare(tmp_path, monkeypatch)
    rated = [
        {"item": str(i), "system": "a", "annotator": who, "criterion": "c", "value": i + extra}
        for i in range(4)
        for who, extra in (("x", 0), ("y", 1))
    ]
    write(tmp_path / "rated.jsonl", list(map(json.dumps, rated)))
    arguments = [sys.executable, "-c", CODE, command, *COMMANDS[command]]
    done = subprocess.run(arguments, capture_output=True, check=False)
    assert done.stderr.decode() == "[]\n"
