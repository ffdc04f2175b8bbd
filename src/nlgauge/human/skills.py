"""Bayesian skills with uncertainty, updated comparison by comparison (Herbrich et al., 2006)."""

from __future__ import annotations

import math

import numpy as np

from nlgauge.core.facts.defaults import SEED
from nlgauge.errors import SpecError
from nlgauge.human.pairwise import Comparisons
from nlgauge.kernels import Floats


def trueskill(
    compared: Comparisons,
    *,
    mu: float = 25.0,
    sigma: float = 25 / 3,
    beta: float = 25 / 6,
    tau: float = 0.0,
    draw: float | None = None,
    seed: int | None = SEED,
) -> tuple[Floats, Floats]:
    """Return mean and standard deviation of each system's skill. `draw`: the chance of a tie
    between equals; by default the share of ties. `tau`: how much skills drift (not at all). The
    order of comparisons matters a little: it is drawn with `seed`, or that of the data with None.
    """
    if draw is None:
        draw = float((compared.value == 0.5).mean())
    if min(sigma, beta) <= 0 or tau < 0 or not 0 <= draw <= 1:
        raise SpecError(f"sigma={sigma}, beta={beta}, tau={tau}, draw={draw}: out of range")
    draw = min(draw, 0.999)  # ties only would make the margin infinite
    margin = _quantile((draw + 1) / 2) * math.sqrt(2) * beta
    means = [mu] * len(compared.systems)
    variances = [sigma**2] * len(compared.systems)
    order = np.arange(len(compared))
    if seed is not None:
        order = np.random.default_rng(seed).permutation(order)
    first, second, value = (
        compared.first.tolist(),
        compared.second.tolist(),
        compared.value.tolist(),
    )
    for k in order.tolist():
        winner, loser = first[k], second[k]
        if value[k] == 0:
            winner, loser = loser, winner
        a, b = variances[winner] + tau**2, variances[loser] + tau**2
        c = math.sqrt(2 * beta**2 + a + b)
        gap, edge = (means[winner] - means[loser]) / c, margin / c
        v, w = _tie(gap, edge) if value[k] == 0.5 else _win(gap - edge)
        means[winner] += a / c * v
        means[loser] -= b / c * v
        variances[winner] = a * max(1 - a / c**2 * w, 1e-9)
        variances[loser] = b * max(1 - b / c**2 * w, 1e-9)
    return np.array(means), np.sqrt(variances)


def _density(x: float) -> float:
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def _below(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


def _quantile(p: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(p)


def _win(x: float) -> tuple[float, float]:
    """Return mean and variance corrections of a normal distribution cut off below."""
    chance = _below(x)
    v = _density(x) / chance if chance > 1e-300 else -x
    return v, v * (v + x)


def _tie(gap: float, edge: float) -> tuple[float, float]:
    """Return mean and variance corrections of a normal distribution cut off on both sides."""
    high, low = edge - gap, -edge - gap
    chance = _below(high) - _below(low)
    if chance < 1e-300:  # beyond the digits of the tails: as if cut at the nearer side
        return (low, 1.0) if gap < 0 else (high, 1.0)
    v = (_density(low) - _density(high)) / chance
    return v, v * v + (high * _density(high) - low * _density(low)) / chance
