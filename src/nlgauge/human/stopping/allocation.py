"""Which pair or system the next judgement is about, drawn with known probabilities.

Undecided pairs are drawn more often, all others still at times: a probability of 0 could not be
weighted. Whoever stores the judgement stores the probability beside it (`propensity`), from which
`weighted_means` makes estimates that the drawing does not bias.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from nlgauge.errors import SpecError
from nlgauge.human.stopping.decisions import Decisions
from nlgauge.human.stopping.pair_differences import Pair
from nlgauge.kernels import Floats

EXPLORE = 0.2  # share of judgements that go to all alike
_T = TypeVar("_T")


@dataclass(frozen=True, eq=False)
class Allocation(Generic[_T]):
    """An allocation has the probability with which each choice is judged next."""

    choices: tuple[_T, ...]
    probabilities: Floats

    def draw(self, rng: np.random.Generator) -> tuple[_T, float]:
        """Draw a choice, and return it with its probability, to be stored as `propensity`."""
        k = int(rng.choice(len(self.choices), p=self.probabilities))
        return self.choices[k], float(self.probabilities[k])


def allocate_pairs(decisions: Decisions, *, explore: float = EXPLORE) -> Allocation[Pair]:
    """Return how probably each pair of systems is compared next."""
    pairs = tuple((pair.first, pair.second) for pair in decisions.pairs)
    wanted = np.array([pair.verdict == "open" for pair in decisions.pairs], np.float64)
    return Allocation(pairs, _mixed(wanted, explore))


def allocate_systems(decisions: Decisions, *, explore: float = EXPLORE) -> Allocation[str]:
    """Return how probably each system is rated next: by the number of its undecided pairs."""
    count = Counter(name for pair in decisions.open for name in (pair.first, pair.second))
    wanted = np.array([count[name] for name in decisions.systems], np.float64)
    return Allocation(decisions.systems, _mixed(wanted, explore))


def _mixed(wanted: Floats, explore: float) -> Floats:
    if not 0 < explore <= 1:
        raise SpecError(
            f"explore={explore}: must be more than 0, as what is never drawn cannot be weighted, "
            "and at most 1"
        )
    alike = np.full(len(wanted), 1 / len(wanted))
    return explore * alike + (1 - explore) * (wanted / wanted.sum() if wanted.any() else alike)
