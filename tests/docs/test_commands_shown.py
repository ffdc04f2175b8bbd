"""Commands that the pages show have the options they are shown with; every page leads on."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from nlgauge.cli import COMMANDS, parser

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
GENERATED = {"metrics.md", "cards.md", "commands.md", "api.md"}
FENCED = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WHOLE = re.compile(r"^(?:\$ )?(nlgauge [a-z].*)$", re.MULTILINE)
INLINE = re.compile(r"`(nlgauge [a-z][^`\n]*)`")
# What is left out in a sentence.
OMITTED = re.compile("are required|expected (one|at least one) argument|invalid choice: '[A-Z]")
# What stands where a figure is to be put in.
GAP = re.compile(r"(?<!`)\b(?:[A-Z]{3,}_[A-Z]{3,}|TODO|TBD|FIXME|XXX+)\b")
OPERATORS = {"|", "||", "&&", ";", ">", ">>", "2>", "&", "..."}


def commands(page: Path) -> Iterator[tuple[list[str], bool]]:
    """The arguments of every command up to the shell's next word, and whether they are all."""
    text = re.sub(r"\\\n\s*", " ", page.read_text(encoding="utf-8"))
    fenced = "\n".join(FENCED.findall(text))
    for shown, whole in (
        *((line, True) for line in WHOLE.findall(fenced)),
        *((line, False) for line in INLINE.findall(FENCED.sub("", text))),
    ):
        for part in re.split(r"\s{2,}(?=nlgauge )| ; ", shown):
            words = shlex.split(part, comments=True)
            end = next((i for i, word in enumerate(words) if word in OPERATORS), len(words))
            yield [word.rstrip(";") for word in words[1:end]], whole


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_options_are_there(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if page.name in GENERATED:
        return
    for arguments, whole in commands(page):
        if "--help" in arguments:
            continue
        assert arguments[0] in COMMANDS, arguments
        try:
            parser(arguments).parse_args(arguments)
        except SystemExit:
            message = capsys.readouterr().err
            assert not whole and OMITTED.search(message), f"{shlex.join(arguments)}\n{message}"


def test_results_have_no_gaps() -> None:
    """No page of results has a name where a figure is to be put in."""
    for page in sorted((DOCS / "results").glob("*.md")):
        assert not GAP.search(page.read_text(encoding="utf-8")), page.name
    assert GAP.search("| gauge | GAUGE_CONTROL |") and GAP.search("r = TODO")
    assert not GAP.search("WMT_16 and `NLGAUGE_CACHE`")


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES[1:] if page.parent.name != "project" and page.name != "index.md"],
    ids=lambda page: page.stem,
)
def test_every_page_says_what_to_type_next(page: Path) -> None:
    _, found, following = page.read_text(encoding="utf-8").partition("\nNext: ")
    assert found
    assert re.search(r"`[^`]+`|\]\(", following.partition("\n\n")[0])
