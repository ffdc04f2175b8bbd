"""Fit log-linear models of choices with an l1 penalty, adding features as their gradient asks for
it (Riezler and Vasserman, 2004; Perkins, Lacker and Theiler, 2003).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nlgauge.errors import SpecError
from nlgauge.kernels import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ChoiceData:
    """Data of choices are lists of candidates, of which one is the right one.

    List j has the rows [starts[j], starts[j + 1]) of `features`; `gold` has rows.
    """

    features: csr_matrix
    starts: Integers
    gold: Integers

    def probabilities(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return P(candidate | its list), and the logarithm of each list's sum."""
        scores = self.features @ weights
        sizes = np.diff(self.starts)
        top = np.maximum.reduceat(scores, self.starts[:-1])
        raised = np.exp(scores - np.repeat(top, sizes))
        sums = np.add.reduceat(raised, self.starts[:-1])
        return raised / np.repeat(sums, sizes), np.log(sums) + top

    def loss(self, weights: Floats) -> tuple[float, Floats]:
        """Return −Σ_j log P(right candidate of list j), and its gradient."""
        probable, logs = self.probabilities(weights)
        value = float(logs.sum() - (self.features @ weights)[self.gold].sum())
        probable[self.gold] -= 1
        gradient: Floats = np.asarray(self.features.T @ probable)
        return value, gradient

    def only(self, columns: Integers) -> ChoiceData:
        """Return the same lists with these features alone."""
        return ChoiceData(self.features[:, columns], self.starts, self.gold)


@dataclass(frozen=True, eq=False)
class LogLinearFit:
    """A fit has a weight for each feature, most of them 0, and what it took to find them."""

    weights: Floats
    objective: float  # loss and penalty
    steps: int  # rounds of selection
    tried: int  # features that passed the test of the gradient


def fit_log_linear(
    data: ChoiceData, *, penalty: float, per_step: int = 100, most_steps: int = 1000
) -> LogLinearFit:
    """Minimise loss + `penalty` · Σ|λ|. Features start at 0; in each round, those of which the
    gradient is larger than the penalty are added, the `per_step` largest, and all weights so far
    are fitted again, until no feature passes the test.
    """
    if penalty <= 0:
        raise SpecError(f"penalty={penalty:g}: must be more than 0, or no weight would stay 0")
    if per_step < 1:
        raise SpecError(f"per_step={per_step}: must be at least 1")
    size = data.features.shape[1]
    weights = np.zeros(size)
    active = np.zeros(0, np.int64)
    steps = 0
    while steps < most_steps:
        _, gradient = data.loss(weights)
        waiting = np.setdiff1d(np.arange(size), active)
        slack = np.abs(gradient[waiting]) - penalty
        passing = waiting[slack > 1e-7 * max(1.0, penalty)]
        if not len(passing):
            break
        order = np.argsort(-np.abs(gradient[passing]), kind="stable")
        active = np.sort(np.concatenate([active, passing[order[:per_step]]]))
        weights[active] = _fitted(data.only(active), weights[active], penalty)
        steps += 1
    value, _ = data.loss(weights)
    return LogLinearFit(weights, value + penalty * float(np.abs(weights).sum()), steps, len(active))


def _fitted(data: ChoiceData, start: Floats, penalty: float) -> Floats:
    """Fit weights as differences of two numbers that are not negative, so that 0 is exact."""
    from scipy.optimize import minimize

    size = len(start)

    def objective(parts: Floats) -> tuple[float, Floats]:
        value, gradient = data.loss(parts[:size] - parts[size:])
        both = np.concatenate([gradient, -gradient]) + penalty
        return value + penalty * float(parts.sum()), both

    found = minimize(
        objective,
        np.concatenate([np.maximum(start, 0), np.maximum(-start, 0)]),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * (2 * size),
        options={"maxiter": 5000, "maxfun": 20000, "ftol": 1e-15, "gtol": 1e-9},
    )
    weights: Floats = found.x[:size] - found.x[size:]
    return weights
