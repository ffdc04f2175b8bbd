"""Found, expected and right: what precision and recall are computed from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Counts:
    """Of things that a model found, that there are, and that are both; of none, shares are NaN."""

    right: int
    found: int
    expected: int

    @property
    def precision(self) -> float:
        """The share of what was found that is right."""
        return self.right / self.found if self.found else float("nan")

    @property
    def recall(self) -> float:
        """The share of what there is that was found."""
        return self.right / self.expected if self.expected else float("nan")

    @property
    def f1(self) -> float:
        """Their harmonic mean."""
        both = self.found + self.expected
        return 2 * self.right / both if both else float("nan")
