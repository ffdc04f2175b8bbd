"""Fit mixtures of Gaussians by expectation maximisation (Dempster, Laird and Rubin, 1977).

The steps and the end are those of scikit-learn's GaussianMixture; only where they start differs,
which is not random here.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, pi
from typing import get_args

import numpy as np

from nlgauge.core.facts.choices import CovarianceShape
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats

FLOOR = 1e-6  # added to variances, so that no component shrinks to a point
TOLERANCE, MOST_STEPS = 1e-3, 100  # of the mean log-likelihood; as in scikit-learn


@dataclass(frozen=True, eq=False)
class GaussianMixture:
    """A mixture has components with weights, means and covariances [components, d, d]."""

    weights: Floats
    means: Floats
    covariances: Floats

    def log_density(self, rows: Floats) -> Floats:
        """Return the logarithm of the density at each row."""
        result: Floats = np.logaddexp.reduce(self._weighted(rows), axis=1)
        return result

    def responsibilities(self, rows: Floats) -> tuple[Floats, float]:
        """Return the share of each component in each row, and the mean log-likelihood."""
        weighted = self._weighted(rows)
        whole = np.logaddexp.reduce(weighted, axis=1)
        return np.exp(weighted - whole[:, None]), float(whole.mean())

    def _weighted(self, rows: Floats) -> Floats:
        found = np.empty((len(rows), len(self.weights)))
        for k, (weight, mean, covariance) in enumerate(
            zip(self.weights, self.means, self.covariances, strict=True)
        ):
            factor = np.linalg.cholesky(covariance)
            whitened = np.linalg.solve(factor, (rows - mean).T)
            logs = np.log(np.diag(factor)).sum()
            squares = (whitened**2).sum(axis=0)
            found[:, k] = log(weight) - 0.5 * (len(mean) * log(2 * pi) + squares) - logs
        return found


def fit_mixture(
    rows: Floats,
    *,
    components: int = 2,
    shape: CovarianceShape = "diag",
    start: GaussianMixture | None = None,
    tolerance: float = TOLERANCE,
    most_steps: int = MOST_STEPS,
) -> GaussianMixture:
    """Fit a mixture to rows [n, d], from `start` or from the groups of `k_means`.

    `shape` of covariances: `diag` has variances alone, `full` covariances, too.
    """
    check_mixture(len(rows), components, shape)
    mixture = start
    if mixture is None:
        mixture = _maximised(rows, np.eye(components)[k_means(rows, components)], shape)
    before = -np.inf
    for _ in range(most_steps):
        shares, likelihood = mixture.responsibilities(rows)
        mixture = _maximised(rows, shares, shape)
        if abs(likelihood - before) < tolerance:
            break
        before = likelihood
    return mixture


def check_mixture(
    rows: int, components: int, shape: CovarianceShape, what: str = "sentences"
) -> None:
    """Refuse mixtures that cannot be fitted to so many rows; `what` says what these are."""
    if shape not in get_args(CovarianceShape):
        raise SpecError(f"shape={shape!r}: there are {', '.join(get_args(CovarianceShape))}")
    if components < 1:
        raise SpecError(f"components={components}: must be at least 1")
    if rows < 2 * components:
        raise DataError(
            f"a mixture of {components} needs {2 * components} {what}, and there are {rows}; give "
            "more, or fewer components"
        )


def _maximised(rows: Floats, shares: Floats, shape: CovarianceShape) -> GaussianMixture:
    sizes = shares.sum(axis=0) + 10 * np.finfo(np.float64).eps
    means = shares.T @ rows / sizes[:, None]
    covariances = np.empty((len(sizes), rows.shape[1], rows.shape[1]))
    for k, mean in enumerate(means):
        apart = rows - mean
        whole = (shares[:, k] * apart.T) @ apart / sizes[k]
        covariances[k] = whole if shape == "full" else np.diag(np.diag(whole))
    covariances += FLOOR * np.eye(rows.shape[1])
    return GaussianMixture(sizes / sizes.sum(), means, covariances)


def k_means(rows: Floats, groups: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Divide rows into groups around means, from rows that are far apart: the one farthest from
    the mean of all, then each time the one farthest from those chosen.
    """
    centre = rows.mean(axis=0)
    distances = ((rows - centre) ** 2).sum(axis=1)
    chosen = [int(np.argmax(distances))]
    nearest = ((rows - rows[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < groups:
        chosen.append(int(np.argmax(nearest)))
        nearest = np.minimum(nearest, ((rows - rows[chosen[-1]]) ** 2).sum(axis=1))
    centres = rows[chosen]
    labels = np.zeros(len(rows), np.int64)
    for _ in range(100):
        labels = np.argmin(((rows[:, None] - centres) ** 2).sum(axis=2), axis=1)
        moved = np.array(
            [rows[labels == k].mean(axis=0) if (labels == k).any() else centres[k]
             for k in range(groups)]
        )  # fmt: skip
        if np.allclose(moved, centres, atol=1e-12):
            break
        centres = moved
    return labels
