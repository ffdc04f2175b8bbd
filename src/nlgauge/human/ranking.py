"""Systems in order, from comparisons: shares of wins, strengths, and how sure their ranks are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlgauge.core.facts.choices import TieModel
from nlgauge.core.facts.defaults import CONFIDENCE, RESAMPLES, SEED
from nlgauge.data.judgements import Judgements
from nlgauge.errors import DataError, SpecError
from nlgauge.human.pairwise import Comparisons, comparisons
from nlgauge.human.skills import trueskill
from nlgauge.human.strengths import bradley_terry
from nlgauge.kernels import Floats


@dataclass(frozen=True)
class RankedSystem:
    """A ranked system has a place among those it was compared with."""

    system: str
    rank: int
    rank_low: int
    rank_high: int
    cluster: int
    wins: int
    ties: int
    losses: int
    win_share: float  # wins / (wins + losses)
    half_share: float  # (wins + ties / 2) / all
    expected_wins: float  # mean over the others of the share won against each, without ties
    strength: float  # Bradley–Terry, log scale with mean 0
    strength_error: float
    mu: float  # TrueSkill
    sigma: float


@dataclass(frozen=True, eq=False)
class Ranking:
    """A ranking lists systems, best first, by expected wins; systems of different clusters have
    disjoint ranges of ranks.
    """

    criterion: str | None
    systems: tuple[RankedSystem, ...]
    wins: Floats  # of the row's system over the column's, in the order of `systems`
    tie: float  # Davidson's ν
    comparisons: int
    confidence: float
    resamples: int
    seed: int
    notes: tuple[str, ...]


def rank(
    judgements: Judgements,
    *,
    criterion: str | None = None,
    margin: float = 0.0,
    ties: TieModel = "davidson",
    prior: float = 0.0,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> Ranking:
    """Rank systems from comparisons, or from ratings read as comparisons (see `comparisons`), with
    ranges by a bootstrap over items.
    """
    if resamples < 1 or not 0 < confidence < 1:
        raise SpecError(
            f"resamples={resamples}, confidence={confidence}: expected >= 1, and 0 to 1"
        )
    compared = comparisons(judgements, criterion=criterion, margin=margin)
    won, tied = compared.counts()
    n = len(compared.systems)
    notes = []
    strengths, errors, nu = np.full(n, np.nan), np.full(n, np.nan), float("nan")
    try:
        fit = bradley_terry(won, tied, how=ties, prior=prior, names=compared.systems)
        strengths, errors, nu = fit.values, fit.errors, fit.tie
    except DataError as error:
        notes.append(f"no Bradley–Terry strengths: {error}")
    mu, sigma = trueskill(compared, seed=seed)
    expected = expected_wins(won)
    drawn = _ranks(_resampled(compared, resamples, seed))
    tail = (1 - confidence) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail], axis=0, method="nearest")
    order = np.lexsort((-np.nan_to_num(_half(won, tied)), -np.nan_to_num(expected, nan=-1)))
    ranks = _ranks(expected[None])[0]
    low, high = np.minimum(low, ranks), np.maximum(high, ranks)
    clusters = _clusters(low[order], high[order])
    wins, losses, even = won.sum(axis=1), won.sum(axis=0), tied.sum(axis=1)
    decided = np.where(wins + losses > 0, wins + losses, np.nan)
    ranked = tuple(
        RankedSystem(
            system=compared.systems[i],
            rank=int(ranks[i]),
            rank_low=int(low[i]),
            rank_high=int(high[i]),
            cluster=clusters[place],
            wins=int(wins[i]),
            ties=int(even[i]),
            losses=int(losses[i]),
            win_share=float(wins[i] / decided[i]),
            half_share=float(_half(won, tied)[i]),
            expected_wins=float(expected[i]),
            strength=float(strengths[i]),
            strength_error=float(errors[i]),
            mu=float(mu[i]),
            sigma=float(sigma[i]),
        )
        for place, i in enumerate(order)
    )
    return Ranking(
        criterion=criterion,
        systems=ranked,
        wins=won[np.ix_(order, order)],
        tie=nu,
        comparisons=len(compared),
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        notes=tuple(notes),
    )


def expected_wins(wins: Floats) -> Floats:
    """Return the mean over opponents of the share of decided comparisons won: [..., n, n] -> [...,
    n].
    """
    met = wins + np.swapaxes(wins, -1, -2)
    shares = np.divide(wins, met, out=np.zeros_like(wins), where=met > 0)
    opponents = (met > 0).sum(axis=-1)
    result: Floats = shares.sum(axis=-1) / np.where(opponents > 0, opponents, np.nan)
    return result


def _half(wins: Floats, ties: Floats) -> Floats:
    total = (wins + wins.T + ties).sum(axis=1)
    half: Floats = (wins + ties / 2).sum(axis=1) / np.where(total > 0, total, np.nan)
    return half


def _resampled(compared: Comparisons, resamples: int, seed: int) -> Floats:
    """Return expected wins of each system in each resample of the items."""
    _, item = np.unique(compared.items, return_inverse=True)
    n = int(item.max()) + 1
    rng = np.random.default_rng(seed)
    result = np.empty((resamples, len(compared.systems)))
    for b in range(resamples):
        times = np.bincount(rng.integers(0, n, n), minlength=n).astype(np.float64)
        result[b] = expected_wins(compared.counts(times[item])[0])
    return result


def _ranks(scores: Floats) -> Floats:
    """Return ranks from 1, the best; equal scores share the better rank, who was never decided is
    last.
    """
    known = np.nan_to_num(scores, nan=-1.0)
    better: Floats = 1.0 + (known[:, None, :] > known[:, :, None] + 1e-12).sum(axis=2)
    return better


def _clusters(low: Floats, high: Floats) -> list[int]:
    """Number clusters: a new one starts where all ranges so far end before all that follow."""
    clusters, number = [], 1
    for i in range(len(low)):
        if i and high[:i].max() < low[i:].min():
            number += 1
        clusters.append(number)
    return clusters
