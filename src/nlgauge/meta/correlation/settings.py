"""The settings of `correlate`: what to measure, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from nlgauge.core.facts.defaults import ALPHA, CONFIDENCE, GROUPINGS, PERMUTATIONS, RESAMPLES, SEED
from nlgauge.errors import SpecError
from nlgauge.meta.correlation.permutation import Swap
from nlgauge.stats.correlation import CORRELATIONS
from nlgauge.stats.pairs import FORMULAS

Level = Literal["segment", "segment-by-item", "segment-by-system", "system"]
Over = Literal["items", "systems", "both"]
IntervalMethod = Literal["jackknife", "percentile", "poisson"]
SystemOver = Literal["all", "rated"]
Test = Literal["auto", "none", "williams", "steiger", "permutation"]

CALIBRATED = {"accuracy-eq-calibrated": "accuracy-eq", "kendall-eq-calibrated": "kendall-eq"}
SOFT = "soft-accuracy"
PREFERENCES = "kendall-darr"
COEFFICIENTS = tuple(dict.fromkeys([*CORRELATIONS, *FORMULAS, *CALIBRATED, SOFT, PREFERENCES]))


@dataclass(frozen=True, kw_only=True)
class MetaSettings:
    """These are the settings of `correlate`; what is None is chosen by the data."""

    levels: tuple[Level, ...] | None = None
    coefficients: tuple[str, ...] = ("pearson",)
    lower_is_better: tuple[str, ...] = ()  # criteria
    system_over: SystemOver = "all"  # outputs of a system that its score is made of
    interval: IntervalMethod = "jackknife"
    over: Over | None = None  # what might have been drawn otherwise
    confidence: float = CONFIDENCE
    resamples: int = RESAMPLES  # of bootstrap intervals; 0: no intervals of any kind
    test: Test = "auto"
    swap: Swap = "both"
    permutations: int = PERMUTATIONS
    alpha: float = ALPHA
    partition_sizes: tuple[int, ...] = ()
    partition_draws: int = GROUPINGS
    threshold: float = 25.0  # of ratings, from which on they are a preference: kendall-darr
    seed: int = SEED

    def __post_init__(self) -> None:
        choices = (
            ("swap", Swap),
            ("over", Over),
            ("test", Test),
            ("interval", IntervalMethod),
            ("system_over", SystemOver),
        )
        for field, known in choices:
            _check(field, [getattr(self, field)], (*get_args(known), None))
        _check("level", self.levels or (), get_args(Level))
        _check("coefficient", self.coefficients, COEFFICIENTS)
        for field in ("confidence", "alpha"):
            if not 0 < getattr(self, field) < 1:
                raise SpecError(f"{field}={getattr(self, field)}: must lie between 0 and 1")
        if self.resamples < 0:
            raise SpecError(f"resamples={self.resamples}: must be at least 0")


def _check(field: str, given: tuple[object, ...] | list[object], known: tuple[object, ...]) -> None:
    for name in given:
        if name not in known:
            listing = ", ".join(str(k) for k in known if k is not None)
            raise SpecError(f"{field}={name!r}: there is: {listing}")
