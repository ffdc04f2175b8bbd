"""PER and MPER: the share of words, or of m-grams, without a counterpart anywhere in the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.explain import builders
from nlgauge.explain.traces import Trace
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.metrics.edit.rate import ErrorRate, error_rate
from nlgauge.text.preparation import BOUNDARIES_HELP, STEM_HELP, STOP_HELP, Boundaries

POOLED = "weigh overlong texts for the corpus as a whole, not segment by segment"


@dataclass(frozen=True, kw_only=True)
class PER(ErrorRate):
    """Position-independent error rate: max(|h|, |r|) less the words both have."""

    info: ClassVar[Info] = Info(
        name="per",
        title="Position-independent Error Rate",
        family="edit",
        cell="CF·U·word-edit",
        tasks=("MT",),
        criteria=("adequacy",),
        higher_is_better=False,
        bounds=(0.0, float("inf")),
        scale=1.0,
        perfect_on_itself=True,
        paper="Leusch et al. (2005), Preprocessing and normalization for automatic evaluation",
        checked_against="PER.pl 1.0, Moses' PER scorer",
    )

    pooled: bool = option(False, f"{POOLED}, as PER.pl and Moses do")
    stem: str = option("none", STEM_HELP)
    stop: str = option("none", STOP_HELP)

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel: a distance between bags of words."""
        return native.Per(order=1, start=False, end=False, ref_length=self.ref_length)

    def score(self, totals: Floats) -> Floats:
        """Return unmatched words per reference word."""
        if not self.pooled:
            return super().score(totals)
        length, hyp_length, matches = (totals[..., k] for k in (1, 2, 3))
        return error_rate(np.maximum(hyp_length, length) - matches, length)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the numbers of errors, words and matches."""
        return {**super().parts(totals), "matches": int(totals[3])}

    def trace_words(self, hyp: list[str], ref: list[str]) -> Trace:
        """Show common words, wherever they stand."""
        return builders.runs(hyp, ref)


@dataclass(frozen=True, kw_only=True)
class MPER(PER):
    """PER of m-grams; texts too short for one are compared word by word."""

    info: ClassVar[Info] = Info(
        name="mper",
        title="Position-independent Error Rate of m-grams",
        family="edit",
        cell="CF·U·word-edit",
        tasks=("MT",),
        criteria=("adequacy", "fluency"),
        higher_is_better=False,
        bounds=(0.0, float("inf")),
        scale=1.0,
        perfect_on_itself=True,
        paper="Leusch et al. (2005), Preprocessing and normalization for automatic evaluation",
        checked_against="hand calculations",
    )

    pooled: bool = option(False, POOLED)
    order: int = option(2, "length of the m-grams", low=1, high=32)
    boundaries: Boundaries = option("none", BOUNDARIES_HELP)

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel: a distance between bags of m-grams; lengths are counts of m-grams."""
        return native.Per(
            order=self.order,
            start=self.order > 1 and self.boundaries in ("start", "both"),
            end=self.order > 1 and self.boundaries in ("end", "both"),
            ref_length=self.ref_length,
        )
