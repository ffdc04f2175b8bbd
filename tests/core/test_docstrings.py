"""Every public object says in five words or more what it is or does."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import nlgauge

SOURCES = Path(nlgauge.__file__).parent
PACKAGES = sorted({path.relative_to(SOURCES).parts[0] for path in SOURCES.rglob("*.py")})


def public(node: ast.Module | ast.ClassDef, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield the names and docstrings of a module or class and of what it defines for others."""
    yield name, ast.get_docstring(node) or ""
    for child in node.body:
        if isinstance(child, ast.ClassDef) and not child.name.startswith("_"):
            yield from public(child, f"{name}.{child.name}")
        elif isinstance(child, ast.FunctionDef) and not child.name.startswith("_"):
            yield f"{name}.{child.name}", ast.get_docstring(child) or ""


@pytest.mark.parametrize("package", PACKAGES)
def test_no_docstring_is_under_five_words(package: str) -> None:
    place = SOURCES / package
    for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
        for name, text in public(ast.parse(path.read_text(encoding="utf-8"))):
            assert len(text.partition("\n\n")[0].split()) >= 5, f"{path}{name}: {text!r}"
