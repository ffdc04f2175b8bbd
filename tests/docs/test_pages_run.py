"""Commands and code of tutorials and recipes print what the pages show."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
RECIPES = sorted((DOCS / "recipes").glob("*.md"))
PAGES = [*sorted((DOCS / "tutorials").glob("*.md")), *RECIPES]
HINT = "run: python docs/make_outputs.py "

sys.path.insert(0, str(DOCS))
from page_runner import BLOCK, Step, run_page  # noqa: E402  (the folder is no package)

sys.path.remove(str(DOCS))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page: Path, tmp_path: Path) -> None:
    steps = run_page(page.read_text(encoding="utf-8"), tmp_path)
    assert steps
    for step in steps:
        assert step.agrees, f"{step.ran}\n{step.found}\n{HINT}{page.relative_to(DOCS.parent)}"


@pytest.mark.parametrize("page", RECIPES, ids=lambda page: page.stem)
def test_recipes_are_short(page: Path) -> None:
    """Three commands or five lines."""
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        lines = [line for line in block["text"].splitlines() if line]
        if block["kind"] == "console":
            assert sum(line.startswith("$ ") for line in lines) <= 3
        if block["kind"] == "python":
            assert len(lines) <= 5


def test_the_ten_tasks_of_newcomers_have_recipes() -> None:
    assert len(RECIPES) == 10


def test_a_page_that_shows_something_else_is_found(tmp_path: Path) -> None:
    page = (
        "```console\n$ echo one; echo 2 >&2\none\n2\n$ false\n$ echo $?\n1\n"
        "$ echo a \\\n    b\na c\n```\n"
        "**f.txt**\n```text\nhello\n```\n```python\nx = open('f.txt').read()\nprint(x)\n```\n"
        "```text\nhello\n```\n```python\nprint(x * 2)\n```\n"
    )
    steps = run_page(page, tmp_path)
    assert [step.agrees for step in steps] == [True, True, True, False, True, False]
    assert [step.found for step in steps[3:]] == ["a b\n", "hello\n", "hello\nhello\n"]


def test_dots_stand_for_lines() -> None:
    for shown, agrees in (("a\n...\nd\n", True), ("a\n...\n", True), ("a\nb\n", False)):
        assert Step("", "a\nb\nc\nd\n", shown, (0, 0)).agrees is agrees


def test_pages_name_only_files_that_are_there() -> None:
    for page in PAGES:
        for path in re.findall(r"\bexamples/[\w/.-]*\w", page.read_text(encoding="utf-8")):
            assert (DOCS.parent / path).exists() or path.endswith((".tex", ".html")), path
