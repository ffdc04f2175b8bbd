"""Sources are cited by author and year, not by codes that only their writers know."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = re.compile(r"\b\d{3}-[A-Z]{2,5} ?§|\b\d{3} §|\bSPEC\b('s)? |\bSPEC X\d+")


@pytest.mark.parametrize("folder", ["src", "docs", "tests", "native"])
def test_no_codes_of_sources(folder: str) -> None:
    for path in (ROOT / folder).rglob("*"):
        if path.suffix in {".py", ".md", ".hpp", ".cpp", ".json"} and path != Path(__file__):
            found = CODE.search(path.read_text(encoding="utf-8"))
            assert found is None, (path, found)
