"""What `make docs` writes is up to date."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html import unescape
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from nlgauge.core import registry
from nlgauge.models.files.trained_model import read_any_model

ROOT = Path(__file__).parents[2]
STALE = "run: make docs"


@pytest.fixture(scope="module")
def programs() -> Iterator[dict[str, ModuleType]]:
    sys.path.insert(0, str(ROOT / "docs"))
    made = "api cards catalogue commands languages picture readme".split()
    names = [f"make_{name}" for name in made]
    yield {name: import_module(name) for name in names}
    sys.path.remove(str(ROOT / "docs"))


def test_catalogue(programs: dict[str, ModuleType]) -> None:
    page = (ROOT / "docs" / "reference" / "metrics.md").read_text(encoding="utf-8")
    assert page == programs["make_catalogue"].catalogue(), STALE


@pytest.mark.parametrize("name", ["api", "commands"])
def test_names_and_commands(programs: dict[str, ModuleType], name: str) -> None:
    page = (ROOT / "docs" / "reference" / f"{name}.md").read_text(encoding="utf-8")
    assert page == programs[f"make_{name}"].page(), STALE


def test_cards(programs: dict[str, ModuleType]) -> None:
    page = (ROOT / "docs" / "reference" / "cards.md").read_text(encoding="utf-8")
    assert page == programs["make_cards"].page(), STALE


def test_results_say_what_cards_say(programs: dict[str, ModuleType]) -> None:
    """Figures on WMT16 are the same in the files and on the page that compares them."""
    page = (ROOT / "docs" / "results" / "trained.md").read_text(encoding="utf-8")
    shown = 0
    for path in programs["make_cards"].shipped():
        for figure in read_any_model(str(path)).header["figures"]:
            if figure["name"] == "model" and figure["on"].startswith(("test", "wmt16")):
                ends = (figure["value"], *figure["interval"])
                value, low, high = (f"{end:.3f}".removeprefix("0") for end in ends)
                assert f"{value} [{low}, {high}]" in page, path.stem
                shown += 1
    assert shown


def test_languages(programs: dict[str, ModuleType]) -> None:
    page = (ROOT / "docs" / "reference" / "languages.md").read_text(encoding="utf-8")
    assert page == programs["make_languages"].page(), STALE


def test_numbers_of_the_readme(programs: dict[str, ModuleType]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme == programs["make_readme"].renewed(readme), STALE


def test_every_metric_has_numbers_from_a_program_or_by_hand(
    programs: dict[str, ModuleType],
) -> None:
    made = programs["make_readme"]
    by_metric = made.sources(ROOT / "tests" / "golden")
    assert set(by_metric) == set(registry.METRICS)
    for metric, sources in by_metric.items():
        assert any(made.TOOLS.search(s) or made.BY_HAND.search(s) for s in sources), metric


def test_picture_of_an_explanation(programs: dict[str, ModuleType], tmp_path: Path) -> None:
    programs["make_picture"].draw_explanation(str(tmp_path / "explain.svg"))
    shown = ROOT / "docs" / "pictures" / "explain.svg"
    assert shown.read_text("utf-8") == (tmp_path / "explain.svg").read_text("utf-8"), STALE


def test_picture_of_scores(programs: dict[str, ModuleType], tmp_path: Path) -> None:
    """Words alone, as rich draws them a little differently in every version."""
    programs["make_picture"].draw_scores(str(tmp_path / "score.svg"))
    shown = ROOT / "docs" / "pictures" / "score.svg"
    assert _words(shown) == _words(tmp_path / "score.svg"), STALE


def _words(picture: Path) -> list[str]:
    texts = re.findall(r"<text[^>]*>(.*?)</text>", picture.read_text("utf-8"), re.DOTALL)
    return unescape(" ".join(texts)).split()
