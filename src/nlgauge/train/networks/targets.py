"""Say what a network is to learn from rated outputs and from changed references."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nlgauge.data.labels import Codes
from nlgauge.kernels import Floats
from nlgauge.train.networks.epochs import rows_held_out
from nlgauge.train.recipe import FitRun

# The share of ratings that are below what changed references may get, and the side that is right,
# too. Kinds that are not here are broken texts; None leaves a kind out.
BROKEN = 0.1, -1
LIMITS: Mapping[str, tuple[float, int] | None] = {"identical": (0.98, 1), "negated": None}


@dataclass(frozen=True, eq=False)
class Targets:
    """Targets are the rows that are learnt from, and what is to be said of each."""

    rows: Codes
    targets: Floats
    sides: npt.NDArray[np.int64]  # -1: anything below is right, too; 1: anything above

    def held_out(self, run: FitRun, share: float) -> list[int]:
        """Return places among the rows, of rated outputs whose groups are to be held out."""
        rated = np.flatnonzero(self.sides == 0)
        groups = [int(group) for group in run.groups[self.rows[rated]]]
        return [int(rated[k]) for k in rows_held_out(groups, share, run.seed)]


def targets_of(
    ratings: Floats,
    run: FitRun,
    *,
    again: int = 1,
    broken: tuple[float, int] = BROKEN,
    limits: Mapping[str, tuple[float, int] | None] = LIMITS,
) -> Targets:
    """Return ratings as they are, and limits for broken texts, copies and other changed ones.
    Limits are learnt `again` and again.
    """
    rated = ratings[run.rated]
    rows, targets, sides = [], [], []
    for k, kind in enumerate(run.kinds):
        target, side = float(ratings[k]), 0
        if kind is not None:
            limit = limits.get(kind, broken)
            if limit is None:
                continue
            target, side = float(np.quantile(rated, limit[0])), limit[1]
        for _ in range(1 if kind is None else again):
            rows.append(k)
            targets.append(target)
            sides.append(side)
    return Targets(np.array(rows, np.intp), np.array(targets), np.array(sides, np.int64))
