"""Read pairs of texts to train on, from tab-separated files."""

from __future__ import annotations

import math

from nlgauge.errors import DataError
from nlgauge.io.files import read_lines, shown


def read_pairs(path: str) -> list[tuple[str, str]]:
    """Read lines of two texts; further columns are for others."""
    return [(one, other) for one, other, *_ in _rows(path, 2, "two texts")]


def read_rated(path: str) -> list[tuple[str, str, float]]:
    """Read lines of two texts and how similar they are."""
    found = []
    for number, (one, other, score, *_) in enumerate(_rows(path, 3, "two texts and a rating"), 1):
        try:
            rating = float(score)
        except ValueError:
            rating = math.nan
        if not math.isfinite(rating):
            raise DataError(f"{shown(path)}, line {number}: {score!r} is no rating; give a number")
        found.append((one, other, rating))
    return found


def _rows(path: str, least: int, what: str) -> list[list[str]]:
    rows = [line.split("\t") for line in read_lines(path)]
    for number, row in enumerate(rows, 1):
        if len(row) < least or not all(text.strip() for text in row[:least]):
            raise DataError(
                f"{shown(path)}, line {number}: expected {what} between tabs, "
                f"found {sum(bool(text.strip()) for text in row)} of them"
            )
    return rows
