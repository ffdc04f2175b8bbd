"""Estimate probabilities from counts in contexts that grow more and more special."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

STRENGTH = 2.0  # occurrences that a less special context counts for


class Smoothed:
    """Smoothed counts give P(outcome | contexts), where each context but the first adds to the one
    before; what one has not seen is left to the one before it, and at last all outcomes are alike.
    """

    def __init__(self, outcomes: int) -> None:
        self._base = 1.0 / max(outcomes, 1)
        self._counts: dict[Hashable, int] = {}
        self._totals: dict[Hashable, int] = {}

    def add(self, outcome: int, contexts: Sequence[Hashable], count: int) -> None:
        """Count an outcome in all of its contexts."""
        for level, context in enumerate(contexts):
            key = level, context
            self._totals[key] = self._totals.get(key, 0) + count
            own = level, context, outcome
            self._counts[own] = self._counts.get(own, 0) + count

    def __call__(self, outcome: int, contexts: Sequence[Hashable]) -> float:
        """Return the probability of an outcome, which is never 0."""
        found = self._base
        for level, context in enumerate(contexts):
            total = self._totals.get((level, context))
            if total is None:
                continue
            own = self._counts.get((level, context, outcome), 0)
            found = (own + STRENGTH * found) / (total + STRENGTH)
        return found
