"""How many judgements a study needs, by simulation before anybody judges.

A rating is the system's effect, plus normal parts for the item, the item in this system's output,
the annotator, and the moment, with variance 1 in total; a scale of steps rounds it. The first
system is better than all others, which are equal. Each simulated study is looked at after every
item, by the anytime-valid rule of `decisions`, and by a t test of the items' mean differences that
would have been planned for just so many items; both are corrected for the number of pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from nlgauge.core.facts.choices import RatingKind
from nlgauge.core.facts.defaults import ALPHA, SEED
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.stats.anytime.mixture import HORIZON, anytime_path

SIMULATIONS = 500
_AT_ONCE = 2_000_000  # ratings that are simulated together
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class PlannedStudy:
    """A planned study says how people will judge, and how their ratings vary."""

    effect: float = 0.1  # of the first system, in standard deviations of a rating
    systems: int = 2
    per_output: int = 1  # annotators of each output, or of each pair of outputs
    annotators: int = 10
    kind: RatingKind = "continuous"
    points: int = 5  # of a likert scale
    item: float = 0.2  # share of the variance of ratings that is between items
    interaction: float = 0.2  # between systems within items
    annotator: float = 0.1  # between annotators
    same_annotator: bool = True  # rates the outputs of all systems for an item
    ties: float = 0.25  # pairwise: difference, in standard deviations, up to which it is a tie

    def __post_init__(self) -> None:
        parts = (self.item, self.interaction, self.annotator)
        if min(parts) < 0 or sum(parts) > 1:
            raise SpecError(
                f"item={self.item}, interaction={self.interaction}, annotator={self.annotator}: "
                "shares of the variance are 0 or more, and at most 1 together"
            )
        if self.systems < 2 or not 1 <= self.per_output <= self.annotators or self.points < 2:
            raise SpecError(
                f"systems={self.systems}, per_output={self.per_output}, annotators="
                f"{self.annotators}, points={self.points}: two systems or more, an output judged "
                "by 1 to all annotators, and two points or more"
            )
        if not math.isfinite(self.effect) or self.ties < 0:
            raise SpecError(f"effect={self.effect}, ties={self.ties}: a number, and 0 or more")

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Return the pairs of systems; in the first ones the first system is better."""
        return list(combinations(range(self.systems), 2))

    def judgements(self, items: int) -> int:
        """Return how many judgements so many items take."""
        each = len(self.pairs) if self.kind == "pairwise" else self.systems
        return items * each * self.per_output

    def differences(self, items: int, simulations: int, rng: np.random.Generator) -> Floats:
        """Return the items' mean differences of all pairs: [simulations, pairs, items]."""
        shape = (simulations, items, self.systems, self.per_output)
        rest = 1 - self.item - self.interaction - self.annotator
        quality = np.zeros(shape[:3])
        quality[:, :, 0] = self.effect
        quality += math.sqrt(self.interaction) * rng.standard_normal(shape[:3])
        if self.kind == "pairwise":  # what items and annotators have in common makes no difference
            seen = math.sqrt(2 * rest) * rng.standard_normal(
                (simulations, items, len(self.pairs), self.per_output)
            )
            first, second = np.array(self.pairs).T
            seen += (quality[:, :, first] - quality[:, :, second])[..., None]
            said = np.where(np.abs(seen) <= self.ties, 0.0, np.sign(seen) / 2)
            return np.moveaxis(said.mean(axis=3), 1, 2)
        quality += math.sqrt(self.item) * rng.standard_normal((simulations, items, 1))
        lenient = math.sqrt(self.annotator) * rng.standard_normal((simulations, self.annotators))
        ratings = quality[..., None] + lenient[:, self._who(items)]
        ratings += math.sqrt(rest) * rng.standard_normal(shape)
        means = self._rounded(ratings).mean(axis=3)
        first, second = np.array(self.pairs).T
        return np.moveaxis(means[:, :, first] - means[:, :, second], 1, 2)

    def _who(self, items: int) -> npt.NDArray[np.intp]:
        """Return the annotators of each output, in turn: [items, systems, per_output]."""
        system = 0 if self.same_annotator else np.arange(self.systems)[:, None] * self.per_output
        who = (
            np.arange(items)[:, None, None] * self.per_output + system + np.arange(self.per_output)
        )
        return np.broadcast_to(who % self.annotators, (items, self.systems, self.per_output))

    def _rounded(self, ratings: Floats) -> Floats:
        if self.kind == "likert":  # a standard deviation is a quarter of the scale
            steps = ratings * (self.points - 1) / 4 + (self.points + 1) / 2
            return np.clip(np.rint(steps), 1, self.points)
        return (ratings > 0).astype(np.float64) if self.kind == "binary" else ratings


@dataclass(frozen=True)
class PowerAt:
    """This is how often the better system is found with so many items."""

    items: int
    judgements: int
    fixed: float  # by a t test planned for so many items
    anytime: float  # by the anytime-valid rule, at this or an earlier look
    false_winners: float  # studies with a winner among equal systems, at any look; NaN: no such


@dataclass(frozen=True, kw_only=True)
class Power:
    """This is the power of a planned study, and what it needs for the power aimed at."""

    study: PlannedStudy
    rows: tuple[PowerAt, ...]
    target: float
    fixed_items: int | None  # None: more than were simulated
    anytime_items: int | None
    median_items: int | None  # at which half of the studies would have ended by the anytime rule
    alpha: float
    simulations: int
    seed: int


def power(
    study: PlannedStudy,
    *,
    items: int = 2000,
    target: float = 0.8,
    alpha: float = ALPHA,
    horizon: float = HORIZON,
    simulations: int = SIMULATIONS,
    seed: int = SEED,
) -> Power:
    """Simulate a study with up to so many items, and say with how many it finds what it should.

    Power is the probability that a pair with the better system is decided for it.
    """
    if items < 2 or simulations < 1 or not 0 < target < 1 or not 0 < alpha < 1:
        raise SpecError(
            f"items={items}, simulations={simulations}, target={target}, alpha={alpha}: 2 or more, "
            "1 or more, and 0 to 1"
        )
    rng = np.random.default_rng(seed)
    each = alpha / len(study.pairs)
    better = study.systems - 1  # the pairs of the first system come first
    fixed: list[Flags] = []
    anytime: list[Flags] = []
    wrong: list[Flags] = []
    done = 0
    while done < simulations:
        count = min(max(_AT_ONCE // study.judgements(items), 1), simulations - done)
        values = study.differences(items, count, rng)
        means, radii = anytime_path(values, alpha=each, horizon=horizon, pseudo=_pseudo(study))
        crossed = np.logical_or.accumulate(np.abs(means) > radii, axis=2)
        direction = np.take_along_axis(means, (np.abs(means) > radii).argmax(2)[..., None], 2) > 0
        expected = direction if study.effect > 0 else ~direction
        anytime.append((crossed & expected)[:, :better])
        wrong.append(np.logical_or.reduce(crossed[:, better:], axis=1))
        fixed.append(_t_test(values[:, :better], each, study.effect))
        done += count
    curve_fixed = np.concatenate(fixed).mean(axis=(0, 1))
    found = np.concatenate(anytime)
    curve_anytime = found.mean(axis=(0, 1))
    false = np.concatenate(wrong).mean(axis=0) if study.systems > 2 else np.full(items, np.nan)
    return Power(
        study=study,
        rows=tuple(
            PowerAt(
                n,
                study.judgements(n),
                float(curve_fixed[n - 1]),
                float(curve_anytime[n - 1]),
                float(false[n - 1]),
            )
            for n in _steps(items)
        ),
        target=target,
        fixed_items=_first(curve_fixed, target),
        anytime_items=_first(curve_anytime, target),
        median_items=_first(found.all(axis=1).mean(axis=0), 0.5),
        alpha=alpha,
        simulations=simulations,
        seed=seed,
    )


def _pseudo(study: PlannedStudy) -> float:
    """Return the further deviation that `decide` counts, for such values."""
    if study.kind == "pairwise":
        return 0.25
    step = {"continuous": 1.0, "binary": 0.5, "likert": (study.points - 1) / 4}[study.kind]
    return 2 * step**2


def _t_test(values: Floats, alpha: float, effect: float) -> Flags:
    """Return whether a t test of the first n values, for each n, finds the effect."""
    from scipy.stats import t as student

    n = np.arange(1, values.shape[2] + 1)
    mean = np.cumsum(values, axis=2) / n
    squares = np.maximum(np.cumsum(values**2, axis=2) - n * mean**2, 0)
    error = np.sqrt(squares / np.maximum(n - 1, 1) / n)
    limit = student.isf(alpha / 2, np.maximum(n - 1, 1))
    found: Flags = mean * np.sign(effect) > limit * error
    found[..., 0] = False
    return found


def _steps(items: int) -> list[int]:
    """Return about a dozen numbers of items, each about 1.5 of the one before."""
    found = [n for k in range(1, 7) for n in (10**k, 2 * 10**k, 3 * 10**k, 5 * 10**k, 7 * 10**k)]
    return [*(n for n in found if n < items), items]


def _first(curve: Floats, target: float) -> int | None:
    """Return from which number of items on the curve stays above the target."""
    below = np.flatnonzero(curve < target)
    start = int(below[-1]) + 2 if below.size else 1
    return start if start <= len(curve) else None
