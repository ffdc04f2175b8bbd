"""How systems are to be compared: which pairs, by which test, with which intervals."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from nlgauge.core.facts.choices import BootstrapInterval, Correction, PairedTest
from nlgauge.core.facts.defaults import ALPHA, RESAMPLES, SEED, TRIALS
from nlgauge.errors import DataError, NlgaugeWarning, SpecError
from nlgauge.stats import intervals, multiplicity
from nlgauge.stats.randomisation import Pair
from nlgauge.stats.significance import TESTS, WITHOUT_DRAWS

MOST_PAIRS = 50_000  # of systems that are all compared with each other: 316 systems


@dataclass(frozen=True, kw_only=True)
class ComparisonPlan:
    """A plan says how differences are tested; what is not given is chosen by the test."""

    test: PairedTest = "randomisation"
    correction: Correction = "none"
    alpha: float = ALPHA
    interval: BootstrapInterval = "percentile"
    trials: int | None = None
    resamples: int = RESAMPLES
    seed: int = SEED

    def __post_init__(self) -> None:
        for name, value, known in (
            ("test", self.test, TESTS),
            ("interval", self.interval, intervals.METHODS),
            ("correction", self.correction, multiplicity.CORRECTIONS),
        ):
            if value not in known:
                raise SpecError(f"{name}={value!r}: there are {', '.join(known)}")
        if not 0 < self.alpha < 1:
            raise SpecError(f"alpha={self.alpha}: must lie between 0 and 1")
        if self.trials is not None and self.trials < 1:
            raise SpecError(f"trials={self.trials}: must be at least 1")

    @property
    def draws(self) -> int:
        """Return the number of trials of the test, or of resamples if it is a bootstrap test."""
        if self.trials is not None:
            return self.trials
        return TRIALS if self.test in ("randomisation", "paired-ar") else self.resamples

    def warn_of_few_trials(self, comparisons: int) -> None:
        """Warn if nothing can be significant: the smallest p-value of draws is 1 / (draws + 1)."""
        if self.test in WITHOUT_DRAWS or self.correction == "benjamini-hochberg":
            return  # the latter asks less of many small p-values than of a single one
        p_values = [1 / (self.draws + 1)] + [1.0] * (comparisons - 1)
        if multiplicity.adjust(p_values, self.correction)[0] > self.alpha:
            needed = (1 if self.correction == "none" else comparisons) / self.alpha
            warnings.warn(
                f"trials={self.draws}: too few for {comparisons} comparisons with the correction "
                f"{self.correction}: none can be significant at {self.alpha:g}; give more than "
                f"{needed:.0f}",
                NlgaugeWarning,
                stacklevel=3,
            )


def chosen_pairs(
    systems: Sequence[str], baseline: str | None, pairs: Sequence[Pair] | None
) -> list[Pair]:
    """Return the pairs of systems to compare: all, those with the baseline, or those given.

    All pairs of very many systems would take hours, and nobody reads them: they are refused.
    """
    check_several(systems)
    if baseline is not None and pairs is not None:
        raise SpecError("baseline and pairs: give one of them")
    if baseline is not None:
        found = [(system, baseline) for system in systems if system != baseline]
    elif pairs is not None:
        found = list(pairs)
    else:
        check_all_pairs(len(systems))
        found = list(combinations(systems, 2))
    for system in dict.fromkeys(system for pair in found for system in pair):
        if system not in systems:
            raise SpecError(f"no system {system!r}; there are {', '.join(systems)}")
    if not found or any(a == b for a, b in found):
        raise SpecError(f"pairs={found}: give at least one, and two different systems in each")
    return list(dict.fromkeys(found))


def check_several(systems: Sequence[str]) -> None:
    """Refuse to compare one system, as it has nothing to be compared with."""
    if len(systems) < 2:
        raise DataError(
            f"there is only one system ({', '.join(systems)}); give at least two to compare"
        )


def check_all_pairs(systems: int) -> None:
    """Refuse to compare so many systems with each other that it would not end in minutes."""
    number = systems * (systems - 1) // 2
    if number > MOST_PAIRS:
        raise DataError(
            f"{systems:,} systems make {number:,} pairs; no more than {MOST_PAIRS:,} are compared. "
            "Compare all with one system (--baseline SYSTEM), name the pairs (in Python, "
            "pairs=[(a, b), …]), or give fewer systems; nlgauge score --confidence has the "
            "interval of each"
        )
