"""EED: character edit distance with long jumps at blanks (Stanchev, Wang & Ney, 2019)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import ClassVar, Literal

from nlgauge.core.metric import Info, MeanMetric
from nlgauge.core.options import option
from nlgauge.errors import SpecError
from nlgauge.explain import builders
from nlgauge.explain.traces import Trace
from nlgauge.kernels import Kernel, native
from nlgauge.text.preparation import Preparation
from nlgauge.text.tokenizers.eed import English

FINEST = 1000  # costs are whole multiples of 1/FINEST, so that rows are exact integers


@dataclass(frozen=True, kw_only=True)
class EED(MeanMetric):
    """Extended edit distance: edits of characters, and jumps."""

    reads_words: ClassVar[bool] = False
    info: ClassVar[Info] = Info(
        name="eed",
        title="Extended Edit Distance",
        family="character",
        cell="CF·U·char",
        tasks=("MT",),
        criteria=("adequacy",),
        higher_is_better=False,
        scale=1.0,
        slow_on_long_lines=True,
        pair_seconds=1.6e-8,
        paper="Stanchev et al. (2019), EED: extended edit distance measure for MT",
        checked_against="EED.py f944adc (profiles), torchmetrics 1.9.0",
    )

    profile: Literal["formula", "official", "python"] = option(
        "formula",
        "official: EED.py's C++ (f944adc), in single precision and with its slips; python: its "
        "Python function and torchmetrics, where rounding decides between equal costs",
    )
    preprocess: Literal["en", "none"] = option("en", "EED's preparation of English text, or none")
    lowercase: bool = option(False, "ignore case")
    alpha: float = option(2.0, "cost of a jump", low=0.0, high=1000.0)
    deletion: float = option(0.2, "cost of leaving out a character of h", low=0.0, high=1000.0)
    insertion: float = option(1.0, "cost of a character h lacks", low=0.0, high=1000.0)
    substitution: float = option(1.0, "cost of another character", low=0.0, high=1000.0)
    rho: float = option(0.3, "weight of places visited again or never", low=0.0, high=1000.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._units()

    def _units(self) -> tuple[int, dict[str, int]]:
        """Return the costs as whole multiples of their greatest common unit fraction."""
        costs = {}
        for name in ("alpha", "deletion", "insertion", "substitution"):
            value: float = getattr(self, name)
            costs[name] = Fraction(value).limit_denominator(FINEST)
            if float(costs[name]) != value:
                raise SpecError(f"eed({name}={value}): must be a multiple of 1/{FINEST} or so")
        unit = lcm(*(cost.denominator for cost in costs.values()))
        if unit > FINEST:
            raise SpecError(f"eed: give costs with a common denominator of at most {FINEST}")
        return unit, {name: int(cost * unit) for name, cost in costs.items()}

    def preparation(self) -> Preparation:
        """Return what the preprocessing changes; characters are compared, not words."""
        english = English(official=self.profile != "formula")
        return Preparation(
            lowercase=self.lowercase, rewrite=english if self.preprocess == "en" else None
        )

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are the score of the best reference, 1. Time grows with
        |h| · |r| characters.
        """
        unit, costs = self._units()
        jump = costs.pop("alpha")
        return native.Eed(unit=unit, jump=jump, **costs, rho=self.rho, profile=self.profile)

    def trace(self, hypothesis: str, reference: str) -> Trace:
        """Show the fewest edits of characters, without jumps."""
        return builders.edits(list(hypothesis), list(reference))
