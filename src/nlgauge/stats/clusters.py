"""Significance clusters and rank ranges, as the rankings of WMT have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Rank:
    """A rank is a system's place: its cluster from 1, the best and worst rank that the tests leave
    open, and how many systems it is significantly better and worse than.
    """

    cluster: int
    best: int
    worst: int
    wins: int
    losses: int


def ranks(order: Sequence[int], wins: npt.NDArray[np.bool_]) -> list[Rank]:
    """Return a rank for each system, in the order given, which is from the best score down.

    `wins[i, j]`: system i is significantly better than j. A new cluster begins where every system
    above is significantly better than every system below.
    """
    n = len(order)
    sorted_wins = wins[np.ix_(order, order)]
    cluster, found = 1, []
    for i in range(n):
        if i > 0 and sorted_wins[:i, i:].all():
            cluster += 1
        won, lost = int(sorted_wins[i].sum()), int(sorted_wins[:, i].sum())
        found.append(Rank(cluster, lost + 1, n - won, won, lost))
    return found
