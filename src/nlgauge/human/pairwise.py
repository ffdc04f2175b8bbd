"""Which of two systems is better: comparisons as people made them, or as their ratings imply."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import NONE, Codes
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Comparisons have one row each: 1 if the first system is better, 0 if the second is, 0.5 a
    tie.
    """

    systems: tuple[str, ...]
    first: Codes
    second: Codes
    value: Floats
    items: Codes  # comparisons of the same item are resampled together

    def __len__(self) -> int:
        return len(self.value)

    def counts(self, times: Floats | None = None) -> tuple[Floats, Floats]:
        """Count wins of the row's system over the column's, and ties (symmetric): [systems,
        systems] each. `times`: how often each comparison counts.
        """
        n = len(self.systems)
        times = np.ones(len(self)) if times is None else times
        better, worse = self.value == 1, self.value == 0
        winner = np.where(better, self.first, self.second)
        loser = np.where(better, self.second, self.first)
        won = better | worse
        wins = np.bincount((winner * n + loser)[won], times[won], n * n).reshape(n, n)
        tied = np.bincount((self.first * n + self.second)[~won], times[~won], n * n).reshape(n, n)
        return np.asarray(wins, np.float64), np.asarray(tied + tied.T, np.float64)


def comparisons(
    judgements: Judgements, *, criterion: str | None = None, margin: float = 0.0
) -> Comparisons:
    """Return the comparisons among the judgements of a criterion; if there are none, those that
    ratings imply: two systems rated by the same annotator for the same item, tied if the ratings
    differ by no more than `margin`.
    """
    if margin < 0:
        raise SpecError(f"margin={margin}: must be 0 or more")
    chosen = judgements if criterion is None else judgements.where(criterion=criterion)
    compared = chosen.comparisons()
    if len(compared):
        systems = tuple(
            dict.fromkeys((*compared.system.used().names, *compared.against.used().names))
        )
        if not np.isin(compared.value, (0, 0.5, 1)).all() or (compared.system.codes == NONE).any():
            raise DataError("a comparison needs two systems and the value 0, 0.5 or 1")
        codes = (compared.system.recoded(systems), compared.against.recoded(systems))
        return Comparisons(systems, *codes, compared.value, _items(compared))
    rated = chosen.ratings()
    rated = rated.take((rated.system.codes != NONE) & (rated.item.codes != NONE))
    names = rated.criterion.used().names
    if criterion is None and len(names) > 1:
        raise SpecError(f"ratings of several criteria; choose one of: {', '.join(names)}")
    rows = list(_implied(rated, margin))
    if not rows:
        raise DataError(
            "there is nothing to compare: neither comparisons (with the field `against`) nor two "
            "systems rated by the same annotator for the same item"
        )
    table = np.array(rows)
    first, second, items = (table[:, k].astype(np.intp) for k in (0, 1, 3))
    return Comparisons(rated.system.names, first, second, table[:, 2], items)


def _items(compared: Judgements) -> Codes:
    """Number the items; comparisons without an item stand for themselves."""
    codes = compared.item.codes.copy()
    alone = codes == NONE
    codes[alone] = len(compared.item.names) + np.arange(alone.sum())
    return codes


def _implied(rated: Judgements, margin: float) -> Iterator[tuple[int, int, float, int]]:
    groups: dict[tuple[int, int], dict[int, float]] = {}
    columns = zip(
        rated.item.codes.tolist(),
        rated.annotator.codes.tolist(),
        rated.system.codes.tolist(),
        rated.value.tolist(),
        strict=True,
    )
    for item, annotator, system, value in columns:
        groups.setdefault((item, annotator), {}).setdefault(system, value)
    for (item, _), values in groups.items():
        for (a, x), (b, y) in combinations(values.items(), 2):
            tied = abs(x - y) <= margin
            yield a, b, 0.5 if tied else float(x > y), item
