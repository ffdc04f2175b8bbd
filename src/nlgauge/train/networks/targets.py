"""Say what a network is to learn from rated outputs and from changed references."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nlgauge.data.labels import Codes
from nlgauge.kernels import Floats
from nlgauge.train.networks.epochs import rows_held_out
from nlgauge.train.recipe import FitRun

LIMITS = 0.1, 0.98  # shares of ratings that are below what broken texts and copies may get


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


def targets_of(ratings: Floats, run: FitRun, *, again: int = 1) -> Targets:
    """Return ratings as they are, and limits for broken texts and copies; other changes, such as
    negation, are left out. Limits are learnt `again` and again.
    """
    low, high = np.quantile(ratings[run.rated], LIMITS).tolist()
    limits = {"identical": (high, 1)}
    rows, targets, sides = [], [], []
    for k, kind in enumerate(run.kinds):
        if kind == "negated":
            continue
        target, side = (float(ratings[k]), 0) if kind is None else limits.get(kind, (low, -1))
        for _ in range(1 if kind is None else again):
            rows.append(k)
            targets.append(target)
            sides.append(side)
    return Targets(np.array(rows, np.intp), np.array(targets), np.array(sides, np.int64))
