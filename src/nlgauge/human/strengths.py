"""Strengths from comparisons: Bradley and Terry (1952), with ties as in Davidson (1970).

P(i beats j) ∝ π_i, P(j beats i) ∝ π_j, P(tie) ∝ ν √(π_i π_j), with π = exp(strength).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlgauge.core.facts.choices import TieModel
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats

_STEPS = 200
_LARGEST_ERROR = 1e3  # of a logarithm: beyond, the comparisons say nothing about a strength


@dataclass(frozen=True, eq=False)
class Strengths:
    """Strengths are logarithms with mean 0, and have standard errors and covariances; ν is of
    Davidson's ties.
    """

    values: Floats
    errors: Floats
    covariance: Floats
    tie: float  # NaN: no ties, or counted as halves
    log_likelihood: float


def bradley_terry(
    wins: Floats,
    ties: Floats | None = None,
    *,
    how: TieModel = "davidson",
    prior: float = 0.0,
    names: Sequence[str] | None = None,
) -> Strengths:
    """Fit strengths by maximum likelihood from wins[i, j] of i over j and ties[i, j] = ties[j, i].
    `how`: ties have a probability of their own, or count as half a win for each. `prior`: the
    precision of a normal prior on each strength, which keeps them finite where somebody never lost.
    """
    won = np.asarray(wins, np.float64)
    tied = np.zeros_like(won) if ties is None else np.asarray(ties, np.float64)
    n = len(won)
    if won.shape != (n, n) or tied.shape != (n, n) or n < 2:
        raise DataError(f"wins and ties must be [systems, systems], not {won.shape}, {tied.shape}")
    if prior < 0 or how not in ("davidson", "half"):
        raise SpecError(f"prior={prior}, how={how!r}: expected 0 or more, and davidson or half")
    if prior == 0:
        _check_connected(won + tied, names or [str(i + 1) for i in range(n)])
    i, j = np.triu_indices(n, 1)
    met = (won + won.T + tied)[i, j] > 0
    i, j = i[met], j[met]
    modelled = how == "davidson" and bool(tied.any())
    if modelled and not won.any():
        raise DataError("every comparison is a tie, so there are no strengths to tell apart")
    outcomes = [won[i, j], won[j, i], tied[i, j]]
    if not modelled:
        outcomes = [outcomes[0] + outcomes[2] / 2, outcomes[1] + outcomes[2] / 2]
    try:
        fitted = _fit(np.stack(outcomes, axis=1), _features(i, j, n, modelled), n, prior)
    except np.linalg.LinAlgError:
        fitted = None
    if fitted is None or not fitted.errors.max() < _LARGEST_ERROR:  # NaN is not below either
        raise DataError(
            "the comparisons do not settle the strengths: wins and ties can be explained by ever "
            "larger ones; collect more comparisons, give a prior, such as prior=0.1, or count ties "
            "as halves"
        )
    return fitted


def _features(i: np.ndarray, j: np.ndarray, n: int, modelled: bool) -> Floats:
    """Return what each outcome of each pair adds up: [pairs, outcomes, parameters]."""
    rows = np.arange(len(i))
    features = np.zeros((len(i), 3 if modelled else 2, n + modelled))
    features[rows, 0, i] = features[rows, 1, j] = 1
    if modelled:
        features[rows, 2, i] = features[rows, 2, j] = 0.5
        features[:, 2, n] = 1
    return features


def _fit(counts: Floats, features: Floats, n: int, prior: float) -> Strengths:
    """Maximise a concave likelihood by Newton's method."""
    k = features.shape[2]
    total = counts.sum(axis=1)
    penalty = np.zeros((k, k))
    penalty[:n, :n] = prior * np.eye(n)
    # Strengths are known up to a constant: this fixes their sum at 0 without changing the optimum.
    anchor = np.zeros((k, k))
    anchor[:n, :n] = 1 / n
    theta = np.zeros(k)

    def value(at: Floats) -> tuple[float, Floats]:
        scores = features @ at
        norm = np.logaddexp.reduce(scores, axis=1)
        likelihood = float((counts * (scores - norm[:, None])).sum())
        return likelihood - float(at @ penalty @ at) / 2, np.exp(scores - norm[:, None])

    current, shares = value(theta)
    for _ in range(_STEPS):
        expected = np.einsum("po,pok->pk", shares, features)
        gradient = np.einsum("po,pok->k", counts - total[:, None] * shares, features)
        gradient -= penalty @ theta
        weighted = features * (total[:, None] * shares)[:, :, None]
        hessian = np.tensordot(weighted, features, axes=([0, 1], [0, 1]))
        hessian -= (expected * total[:, None]).T @ expected
        hessian += penalty + anchor
        if not np.isfinite(hessian).all():
            raise np.linalg.LinAlgError("the strengths have left the range of numbers")
        step = np.linalg.solve(hessian, gradient)
        better, shares_there = value(theta + step)
        while better < current - 1e-9 * abs(current) and np.abs(step).max() > 1e-12:
            step = step / 2
            better, shares_there = value(theta + step)
        theta, current, shares = theta + step, better, shares_there
        if np.abs(step).max() < 1e-10:
            break
    else:
        raise DataError("the strengths do not converge; give a prior, such as prior=0.1")
    centre = np.eye(k)
    centre[:n, :n] -= 1 / n
    covariance = centre @ np.linalg.inv(hessian) @ centre.T
    strengths = theta[:n] - theta[:n].mean()
    penalised = float(theta @ penalty @ theta) / 2
    return Strengths(
        values=strengths,
        errors=np.sqrt(np.where(np.diag(covariance) < 0, np.nan, np.diag(covariance))[:n]),
        covariance=covariance[:n, :n],
        tie=float(np.exp(theta[n])) if k > n else float("nan"),
        log_likelihood=current + penalised,
    )


def _check_connected(beaten: Floats, names: Sequence[str]) -> None:
    """Refuse data in which not everybody can be reached from everybody by wins and ties: strengths
    would not be finite.
    """
    from scipy.sparse.csgraph import connected_components

    count, group = connected_components(beaten > 0, directed=True, connection="strong")
    if count == 1:
        return
    for g in range(count):
        inside = group == g
        others = beaten[np.ix_(~inside, inside)].any()
        beats = beaten[np.ix_(inside, ~inside)].any()
        if not others:
            part = ", ".join(name for name, own in zip(names, inside, strict=True) if own)
            what = "never lost to" if beats else "was never compared with"
            raise DataError(
                f"{part} {what} the other systems, so strengths are not finite; collect more "
                "comparisons, or give a prior, such as prior=0.1"
            )
