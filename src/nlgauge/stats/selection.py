"""Choice of a model's terms, one at a time, by their p-values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlgauge.core.facts.defaults import ALPHA
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.stats.regression import solve


@dataclass(frozen=True)
class Step:
    """A step is a term that was added or removed, its p then, and R² after it."""

    term: str
    added: bool
    p: float
    r2: float


def stepwise(
    y: Floats, x: Floats, names: Sequence[str], *, enter: float = ALPHA, leave: float = 0.10
) -> tuple[list[int], tuple[Step, ...]]:
    """Choose terms one by one, and return their positions and how they were chosen: the term with
    the smallest p joins while it is below `enter`; after that those above `leave` go, the worst
    first.
    """
    if not 0 < enter <= leave < 1:
        raise SpecError(f"enter={enter}, leave={leave}: needs 0 < enter <= leave < 1")
    chosen: list[int] = []
    steps: list[Step] = []
    seen = {frozenset(chosen)}
    while True:
        rest = [j for j in range(len(names)) if frozenset([*chosen, j]) not in seen]
        candidates = {j: float(_p_values(y, x[:, [*chosen, j]])[-1]) for j in rest}
        best = min(candidates, key=candidates.__getitem__, default=None)
        if best is None or not candidates[best] < enter:
            return sorted(chosen), tuple(steps)
        chosen.append(best)
        steps.append(Step(names[best], True, candidates[best], _r2(y, x[:, chosen])))
        while len(chosen) > 1:
            p_values = _p_values(y, x[:, chosen])
            worst = int(np.argmax(p_values))
            if p_values[worst] <= leave:
                break
            name = names[chosen.pop(worst)]
            steps.append(Step(name, False, float(p_values[worst]), _r2(y, x[:, chosen])))
        seen.add(frozenset(chosen))  # no set of terms twice, so that the search ends


def _design(x: Floats) -> Floats:
    return np.column_stack([np.ones(len(x)), x])


def _p_values(y: Floats, x: Floats) -> Floats:
    """Return the p-value of each term; 1 for all if one is constant or follows from the others."""
    from scipy.special import stdtr

    n, k = x.shape
    spread = x.std(axis=0)
    if n < k + 3 or not spread.all():
        return np.ones(k)
    design = _design((x - x.mean(axis=0)) / spread)
    if np.linalg.matrix_rank(design, tol=1e-9 * np.sqrt(n)) <= k:
        return np.ones(k)
    values, errors, _ = solve(design, y)
    with np.errstate(divide="ignore"):
        p: Floats = 2 * stdtr(n - k - 1, -np.abs(values[1:] / errors[1:]))
    return p


def _r2(y: Floats, x: Floats) -> float:
    design = _design(x)
    residuals = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    return float(1 - residuals @ residuals / ((y - y.mean()) ** 2).sum())
