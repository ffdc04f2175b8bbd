"""IMPACT: contiguous common parts, found again and again (Echizen-ya and Araki, 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.core.metric import Info, MeanMetric
from nlgauge.core.options import option
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.text.preparation import STEM_HELP, STOP_HELP


@dataclass(frozen=True, kw_only=True)
class IMPACT(MeanMetric):
    """F-score of common parts, those found in later rounds counting less.

    Positions in a route are counted from 1; from the second round on, positions, lengths and
    neighbours are those of what the rounds before have left.
    """

    info: ClassVar[Info] = Info(
        name="impact",
        title="Intuitive common parts continuum (IMPACT)",
        family="order",
        cell="CF·U·word-other",
        tasks=("MT",),
        scale=1.0,
        paper="Echizen-ya and Araki (2007), Automatic evaluation of machine translation based on "
        "recursive acquisition of an intuitive common parts continuum",
        checked_against="brute force",
    )

    tokenizer: str = option("none", "how texts are split into words")
    lowercase: bool = option(False, "ignore case")
    alpha: float = option(0.1, "weight of a round against the one before", low=0.0, high=1.0)
    beta: float = option(1.2, "how much long parts count", low=1.0, high=10.0)
    stem: str = option("none", STEM_HELP)
    stop: str = option("none", STOP_HELP)

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are score, 1, P, R."""
        return native.Impact(alpha=self.alpha, beta=self.beta)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return means of the factors over segments."""
        segments = max(float(totals[1]), 1.0)
        return {"precision": float(totals[2]) / segments, "recall": float(totals[3]) / segments}
