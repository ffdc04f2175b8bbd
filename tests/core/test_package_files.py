"""An installation has all that commands read, also from a wheel (`make wheel` runs this)."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

import nlgauge

INSTALLED = Path(nlgauge.__file__).parent
SOURCE = Path(__file__).parents[2] / "src" / "nlgauge"
KEPT_OUT = {".py", ".pyc", ".so"}


def data_files() -> list[str]:
    found = (path.relative_to(SOURCE) for path in SOURCE.rglob("*") if path.is_file())
    return sorted(str(path) for path in found if path.suffix not in KEPT_OUT)


@pytest.mark.skipif(not SOURCE.is_dir(), reason="needs the sources beside the tests")
def test_every_data_file_is_installed() -> None:
    names = data_files()
    assert len(names) > 30
    for name in names:
        assert (INSTALLED / name).read_bytes() == (SOURCE / name).read_bytes(), name


@pytest.mark.parametrize(
    "name",
    [
        "annotate/web/templates/layout.html",
        "annotate/web/templates/task.html",
        "annotate/web/static/annotate.css",
        "annotate/web/static/send.js",
        "report/assets/report.css",
        "report/assets/report.js",
        "models/data/wordnet-3.0.bin",
    ],
)
def test_pages_find_their_files(name: str) -> None:
    assert files("nlgauge").joinpath(name).read_bytes()


def test_types_and_native_core_are_installed() -> None:
    assert (INSTALLED / "py.typed").is_file()
    assert (INSTALLED / "_native.pyi").is_file()
