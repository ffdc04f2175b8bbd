"""Read the word lists that come with the package."""

from __future__ import annotations

from functools import cache

STOP_LISTS = ("none", "smart")


def lines(name: str) -> list[str]:
    """Return the lines of a list without comments."""
    from pathlib import Path  # slow to import, and most runs read no list

    text = (Path(__file__).parent / "data" / f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def stop_words(name: str) -> frozenset[str]:
    """Return the words of a stop list."""
    return frozenset() if name == "none" else frozenset(lines(name))


@cache
def word_pairs(name: str) -> dict[str, str]:
    """Return the words of a list and what stands for them."""
    return dict(line.split(" ", 1) for line in lines(name))
