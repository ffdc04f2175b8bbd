"""The notebooks run, and show what they store."""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
import pytest

import nlgauge

DOCS = Path(__file__).parents[2] / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))

sys.path.insert(0, str(DOCS))
from make_notebooks import executed, shown  # noqa: E402  (the folder is no package)

sys.path.remove(str(DOCS))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(nlgauge.__file__).parents[1]))
    stored = nbformat.read(path, as_version=4)
    nbformat.validate(stored)
    assert shown(executed(path)) == shown(stored), "run: python docs/make_notebooks.py"
