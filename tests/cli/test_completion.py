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
        (["nlgauge", "score", "r.txt", "-m", "chrf+"], "chrf++"),
        (["nlgauge", "he"], "help"),
        (["nlgauge", "help", "comp"], "compare"),
        (["nlgauge", "annotate", "pro"], "protocols"),
        (["nlgauge", "annotate", "power", "--eff"], "--effect"),
        (["nlgauge", "score", "r.txt", "-f", "la"], "latex"),
        (["nlgauge", "score", "r.txt", "--output-format", ""], "json"),
        (["nlgauge", "score", "r.txt", "--figure-format", "svg", "p"], "pdf"),
        (["nlgauge", "score", "r.txt", "-tok", "ja"], "ja-mecab"),
        (["nlgauge", "compare", "r.txt", "--lang", ""], "zh"),
        (["nlgauge", "compare", "r.txt", "--test", "rand"], "randomisation"),
        (["nlgauge", "metrics", "bertsc"], "bertscore"),
        (["nlgauge", "completion", ""], "fish"),
        (["nlgauge", "fetch", "neural", "vec"], "vectors"),
        (["nlgauge", "metrics", "--task", "D"], "D2T"),
    ],
)
def test_bash(words: list[str], expected: str, capsys) -> None:
    script = run(capsys, "completion", "bash")
    listed = " ".join(f"'{word}'" for word in words)
    asked = f"COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}; _nlgauge; echo ${{COMPREPLY[@]}}"
    found = subprocess.check_output(["bash", "-c", script + asked], text=True).split()
    assert expected in found and all(word.startswith(words[-1]) for word in found)


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_files_where_no_value_is_known(capsys) -> None:
    """Behind the one value of an option, bash proposes files again."""
    script = run(capsys, "completion", "bash")
    for words in ("score -f json re", "score -i ou", "annotate new st", "score re"):
        count = len(words.split())
        asked = (
            f"COMP_WORDS=(nlgauge {words}); COMP_CWORD={count}; _nlgauge; echo ${{COMPREPLY[@]}}"
        )
        assert not subprocess.check_output(["bash", "-c", script + asked], text=True).strip()


def test_other_shells(capsys) -> None:
    assert run(capsys, "completion", "zsh").startswith("autoload -U +X bashcompinit")
    fish = run(capsys, "completion", "fish").splitlines()
    assert all(line.startswith("complete -c nlgauge -n ") for line in fish)
    assert all(name in fish[0] for name in COMMANDS)
