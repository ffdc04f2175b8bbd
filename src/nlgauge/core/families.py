"""The families that metrics are sorted into: folders of `metrics/`, and groups of the catalogue."""

from __future__ import annotations

from typing import Literal, get_args

from nlgauge.errors import SpecError

Family = Literal[
    "ngram",
    "alignment",
    "edit",
    "order",
    "character",
    "embedding",
    "contextual",
    "syntax",
    "semantics",
    "content",
    "grounded",
    "dialogue",
    "trained",
    "judge",
    "given",  # scores that another tool computed
]


def check_family(metric: str, family: str) -> None:
    """Refuse a family of a metric that does not exist."""
    known = get_args(Family)
    if family not in known:
        raise SpecError(f"{metric}: family: {family!r} is not one of {', '.join(known)}")
