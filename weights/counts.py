"""Count what was found, expected and right, from which precision and recall follow."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Counts:
    """Counts are of what a model found, what there is, and what is both; shares of none are NaN."""

    right: int
    found: int
    expected: int

    @property
    def precision(self) -> float:
        """Return the share of what was found that is right."""
        return self.right / self.found if self.found else float("nan")

    @property
    def recall(self) -> float:
        """Return the share of what there is that was found."""
        return self.right / self.expected if self.expected else float("nan")

    @property
    def f1(self) -> float:
        """Return the harmonic mean of precision and recall."""
        both = self.found + self.expected
        return 2 * self.right / both if both else float("nan")
