"""The examples of docs/guide/judges.md run as they stand, and print what the page shows.

python tests/cli/test_docs_judges.py    # writes what they print into the page
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import tempfile
from pathlib import Path

from support.judge_host import JudgeHost

from nlgauge.cli import main

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "judges.md"
ADDRESS = "http://127.0.0.1:8077/v1"
EXAMPLE = re.compile(r"^\$ nlgauge ([^\n]+)\n(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)


def files(page: str, folder: Path) -> None:
    """Write the files that the page shows, beside the examples."""
    shutil.copytree(ROOT / "examples", folder / "examples", dirs_exist_ok=True)
    for name, text in re.findall(r"\*\*(\S+)\*\*\n```\n(.*?)```", page, re.DOTALL):
        (folder / name).write_text(text, encoding="utf-8")


def printed(command: str, url: str) -> str:
    """What a command prints at a wide terminal, without blanks at the ends of lines."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(shlex.split(command.replace(ADDRESS, url))) == 0
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    return "\n".join(line for line in lines if line) + "\n"


def shown(page: str, folder: Path) -> str:
    """The page, with what its examples print."""
    files(page, folder)
    before = Path.cwd()
    os.chdir(folder)
    try:
        with JudgeHost() as host:
            return EXAMPLE.sub(lambda m: f"$ nlgauge {m[1]}\n{printed(m[1], host.url)}", page)
    finally:
        os.chdir(before)


def test_the_page_shows_what_its_examples_print(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "110")
    page = PAGE.read_text(encoding="utf-8")
    assert len(EXAMPLE.findall(page)) == 6
    assert shown(page, tmp_path) == page


def test_the_python_of_the_page_runs(tmp_path: Path, monkeypatch) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    with JudgeHost() as host:
        names: dict[str, object] = {}
        exec(code.replace(ADDRESS, host.url), names)
        assert host.number == 2
    table = names["table"]
    assert table.systems == ["a", "b"] and "overlap fp_1" in table.columns[0].signature


def test_the_rubric_of_the_page_is_one(tmp_path: Path) -> None:
    from nlgauge.models.judges.prompt_files import find_prompt

    (text,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "polite.toml").write_text(text, encoding="utf-8")
    prompt = find_prompt(str(tmp_path / "polite.toml"))
    assert prompt.holes() == {"context": False, "output": True}


if __name__ == "__main__":
    os.environ["COLUMNS"] = "110"
    with tempfile.TemporaryDirectory() as folder:
        PAGE.write_text(shown(PAGE.read_text("utf-8"), Path(folder)), encoding="utf-8")
