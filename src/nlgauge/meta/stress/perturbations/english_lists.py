"""The word lists of this folder: English, compact, written for these perturbations."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def lines(name: str) -> tuple[str, ...]:
    """Return the lines of a list, without comments."""
    text = (files(__package__) / "data" / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


@cache
def words(name: str) -> frozenset[str]:
    """Return all words of a list."""
    return frozenset(word for line in lines(name) for word in line.split())
