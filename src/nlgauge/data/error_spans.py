"""Hold errors that were marked in a text: where they stand, how bad they are, and of what kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nlgauge.errors import DataError

SEVERITIES = ("neutral", "minor", "major", "critical")  # from the least to the worst


@dataclass(frozen=True, kw_only=True)
class ErrorSpan:
    """An error is the characters [start, end) of an output; something that is missing has no
    place.
    """

    start: int | None = None
    end: int | None = None
    severity: str = ""
    category: str = ""

    def __post_init__(self) -> None:
        placed = self.start is not None and self.end is not None
        if not placed and (self.start is not None or self.end is not None):
            raise DataError(f"error span {self}: give both start and end, or neither")
        if self.start is not None and self.end is not None and not 0 <= self.start < self.end:
            raise DataError(f"error span {self.start} to {self.end}: expected 0 <= start < end")

    @property
    def place(self) -> tuple[int, int] | None:
        """Return where the error stands; None if nothing in the text is marked."""
        return None if self.start is None or self.end is None else (self.start, self.end)


def severity_rank(severity: str) -> int:
    """Return how bad a severity is; one that is not known is as bad as a minor error."""
    folded = severity.strip().lower()
    return SEVERITIES.index(folded) if folded in SEVERITIES else 1


def character_marks(length: int, errors: Sequence[ErrorSpan]) -> list[str]:
    """Return the severity of each character of a text, "" where nothing is marked; where marks
    overlap, the worst counts.
    """
    marks = [""] * length
    for error in sorted(errors, key=lambda error: severity_rank(error.severity)):
        if error.place is not None:
            start, end = error.place
            if end > length:
                raise DataError(
                    f"error span {start} to {end}: the text has {length} characters; the "
                    "annotations are of another text"
                )
            marks[start:end] = [error.severity or "minor"] * (end - start)
    return marks


def weighted_sum(errors: Sequence[ErrorSpan], weights: Mapping[str, float]) -> float:
    """Return the sum of the weights of errors by severity; each severity must have one."""
    total = 0.0
    for error in errors:
        if error.severity.lower() not in weights:
            known = ", ".join(weights)
            raise DataError(f"severity {error.severity!r} has no weight; there are {known}")
        total += weights[error.severity.lower()]
    return total
