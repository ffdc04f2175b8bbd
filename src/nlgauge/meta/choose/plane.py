"""The evaluation plane: how well each member AEv(alpha, N) of the n-gram family agrees with people
(Soricut and Brill, 2004, sections 2 and 3.3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from nlgauge.core.facts.choices import Points
from nlgauge.core.facts.tasks import find_task
from nlgauge.core.metric import totals
from nlgauge.core.results import Result
from nlgauge.data.labels import NONE
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats
from nlgauge.meta.choose import axes
from nlgauge.meta.choose.axes import Region
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.metrics.ngram.aev import AEv
from nlgauge.stats.correlation import pearson

ALPHAS = tuple(i / 10 for i in range(11))
ORDERS = (1, 2, 3, 4)
TIE = 5e-5  # R² that are printed alike, as hundredths of a per cent, share the maximum


@dataclass(frozen=True)
class Member:
    """A member AEv(alpha, N) is a point of the plane."""

    alpha: float
    order: int
    r2: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Plane:
    """A plane has R² of every member with one criterion's ratings, and what was to be expected."""

    criterion: str
    group: str | None  # of outputs, such as a language pair
    level: Points
    points: int  # systems or outputs that have both a score and a rating
    alphas: tuple[float, ...]
    orders: tuple[int, ...]
    r: Floats  # [orders, alphas], NaN where undefined
    zeros: Floats  # [orders, alphas], share of the points whose member is 0, for want of matches
    region: Region | None

    @property
    def r2(self) -> Floats:
        """Return the share of the ratings' variance that each member explains: [orders, alphas]."""
        squares: Floats = self.r**2
        return squares

    @property
    def maxima(self) -> tuple[Member, ...]:
        """Return the best member and all that tie with it; none if nothing is defined."""
        r2 = self.r2
        if np.isnan(r2).all():
            return ()
        rows, columns = np.nonzero(r2 > np.nanmax(r2) - TIE)
        found = [
            Member(self.alphas[j], self.orders[i], float(r2[i, j]))
            for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
        ]
        return tuple(sorted(found, key=lambda member: -member.r2))

    @property
    def best_predicted(self) -> Member | None:
        """Return the best member of the region; None if no point of the grid lies in it."""
        found = [
            Member(alpha, order, float(self.r2[i, j]))
            for i, order in enumerate(self.orders)
            for j, alpha in enumerate(self.alphas)
            if self.region is not None and (alpha, order) in self.region
        ]
        defined = [member for member in found if member.r2 == member.r2]
        return max(defined, key=lambda member: member.r2, default=None)

    @property
    def as_predicted(self) -> bool | None:
        """Return whether a maximum lies in the region; None if there is neither."""
        if self.region is None or not self.maxima:
            return None
        return any((member.alpha, member.order) in self.region for member in self.maxima)


@dataclass(frozen=True, eq=False, repr=False)
class Planes(Result):
    """There is one plane for each group and criterion."""

    planes: tuple[Plane, ...]
    task: str | None
    signature: str  # of the family's member alpha = 0.5 of the highest order

    def record(self) -> dict[str, Any]:
        """Return the planes with what follows from their fields."""
        return {
            "task": self.task,
            "signature": self.signature,
            "planes": [
                {
                    **asdict(plane),
                    "r2": plane.r2,
                    "maxima": plane.maxima,
                    "best_predicted": plane.best_predicted,
                    "as_predicted": plane.as_predicted,
                }
                for plane in self.planes
            ],
        }


def evaluation_plane(
    paired: PairedScores,
    *,
    column: str = "aev",
    criteria: Sequence[str] | None = None,
    alphas: Sequence[float] = ALPHAS,
    orders: Sequence[int] = ORDERS,
    level: Points = "system",
    task: str | None = None,
    guidelines: Mapping[str, str | float] | None = None,
    split: str | None = None,
) -> Planes:
    """Compute R² over the plane for each criterion (default: all that were rated).

    `paired` has a column of AEv, counted up to at least the highest of `orders`: the counts of one
    pass serve all members. `task` and `guidelines` (by criterion, for those whose name tells
    nothing) say which region to expect. `split` names the groups that get planes of their own.
    """
    family = paired.scores.column(column)
    if not isinstance(family.metric, AEv):
        raise SpecError(f"column {column} holds {family.metric.info.name}; the plane needs aev")
    if family.metric.weights is not None:
        raise SpecError("the plane is defined for uniform weights; leave weights out")
    _check_axes(alphas, orders, family.metric.max_order)
    wanted = paired.criteria if criteria is None else list(criteria)
    short = None if task is None else find_task(task)
    given = guidelines or {}
    for name in [*wanted, *given]:
        if name not in paired.criteria:
            known = ", ".join(paired.criteria)
            raise SpecError(f"no criterion {name!r} among the ratings; there is: {known}")
    parts = {None: paired} if split is None else paired.split(split)
    planes = []
    for group, part in parts.items():
        scores = _members(part, column, alphas, orders, level)  # [orders, alphas, points]
        for criterion in wanted:
            human = part.human_systems(criterion) if level == "system" else part.human(criterion)
            place = axes.guideline(criterion, given.get(criterion))
            rated = ~np.isnan(human)
            points = int(rated.sum())
            planes.append(
                Plane(
                    criterion=criterion,
                    group=group,
                    level=level,
                    points=points,
                    alphas=tuple(alphas),
                    orders=tuple(orders),
                    r=np.array([[pearson(s, human) for s in row] for row in scores]),
                    zeros=(scores[..., rated] == 0).sum(axis=-1) / max(points, 1),
                    region=axes.predict(axes.TASKS[short] if short else None, place),
                )
            )
    if all(plane.points < 3 for plane in planes):
        raise DataError(_too_few(paired, level))
    return Planes(tuple(planes), short, family.signature)


def _check_axes(alphas: Sequence[float], orders: Sequence[int], counted: int) -> None:
    if not alphas or not all(0 <= alpha <= 1 for alpha in alphas):
        raise SpecError(f"alphas={list(alphas)}: give some from 0 to 1")
    if not orders or not all(1 <= order <= counted for order in orders):
        raise SpecError(f"orders={list(orders)}: give some from 1 to {counted}, what was counted")


def _too_few(paired: PairedScores, level: Points) -> str:
    if level == "system" and len(paired.scores.systems.names) < 3:
        systems = ", ".join(paired.scores.systems.names)
        return (
            f"R² over systems needs at least 3, there is {systems}; "
            "choose the segment level (--level segment)"
        )
    rated = paired.judgements.ratings()
    known = (rated.system.recoded(paired.scores.systems.names) != NONE).any()
    return "fewer than 3 points have both a score and a rating; " + (
        "do the items have the same ids?" if known else "do the systems have the same names?"
    )


def _members(
    paired: PairedScores, column: str, alphas: Sequence[float], orders: Sequence[int], level: Points
) -> Floats:
    """Return scores of all members: [orders, alphas, points]."""
    family, counts = paired.scores.column(column).metric, paired.scores.rows_of(column)
    assert isinstance(family, AEv)
    if level == "system":
        codes = paired.scores.systems.codes
        counts = np.stack(
            [totals(counts[codes == i]) for i in range(len(paired.scores.systems.names))]
        )
    lengths, columns = counts[:, :2], np.split(counts[:, 2:], 3, axis=1)
    scores = []
    for order in orders:
        # Columns of the member N: |h|, |r|, then matches and n-grams of h and r up to N.
        own = np.hstack([lengths, *(part[:, :order] for part in columns)])
        members = [replace(family, alpha=float(alpha), max_order=order) for alpha in alphas]
        scores.append([member.score(own) for member in members])
    return np.asarray(scores)
