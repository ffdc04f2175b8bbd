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

FIGURES = tuple(f"nlgauge.report.{name}" for name in ("figures", "pages", "pictures"))
EXPLAINED = ("nlgauge.explain.", "nlgauge.data.judge_server", "scipy", "pandas", "asyncio")


def loaded(late: tuple[str, ...], *command: str) -> str:
    """Run a command, and return which of these packages it has loaded."""
    code = (
        "import sys; from nlgauge.cli import main; assert main(sys.argv[1:]) == 0;"
        f"print([name for name in sys.modules if name.startswith({late})], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, check=False)
    return done.stderr.decode()


@pytest.mark.parametrize("command", COMMANDS)
def test_text_needs_no_figures(tmp_path: Path, monkeypatch, command: str) -> None:
    prepare(tmp_path, monkeypatch)
    rated = [
        {"item": str(i), "system": "a", "annotator": who, "criterion": "c", "value": i + extra}
        for i in range(4)
        for who, extra in (("x", 0), ("y", 1))
    ]
    write(tmp_path / "rated.jsonl", list(map(json.dumps, rated)))
    assert loaded(FIGURES, command, *COMMANDS[command]) == "[]\n"


def test_scores_need_nothing_that_explains(tmp_path: Path, monkeypatch) -> None:
    """A command on a few lines is as slow as what it loads."""
    prepare(tmp_path, monkeypatch)
    metrics = ("-m", "bleu", "chrf", "ter", "wer")
    assert loaded(EXPLAINED, "score", "ref.txt", "-i", "sysA.txt", *metrics, "-q") == "[]\n"
