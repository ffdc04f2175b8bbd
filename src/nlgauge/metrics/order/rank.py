"""NKT, NSR, NKTP, NSRP: rank correlation of word order (Isozaki et al., 2010)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.metric import Info, MeanMetric
from nlgauge.core.options import option
from nlgauge.explain import builders
from nlgauge.explain.traces import Trace
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.metrics.ngram.bleu import BLEU
from nlgauge.text.preparation import STEM_HELP, STOP_HELP

Measure = Literal["kendall", "spearman", "hamming"]

COLUMNS = 9  # of the kernel


@dataclass(frozen=True, kw_only=True)
class NKT(MeanMetric):
    """Agreement of word order, times powers of precision, recall, F and brevity penalty.

    Without its own factor (`order=0`) what is left is the precision, recall, F or brevity penalty
    the paper compares with.
    """

    info: ClassVar[Info] = Info(
        name="nkt",
        title="Normalised Kendall τ of word order",
        family="order",
        cell="CF·U·word-other",
        tasks=("MT",),
        criteria=("adequacy",),
        scale=1.0,
        paper="Isozaki et al. (2010), Automatic evaluation of translation quality for distant "
        "language pairs",
        checked_against="the paper's examples; brute force",
        revision=2,
    )

    tokenizer: str = option("none", "how texts are split into words")
    lowercase: bool = option(False, "ignore case")
    measure: Measure = option("kendall", "of order; hamming: the share of words not displaced")
    order: float = option(1.0, "exponent of the agreement of order", low=0.0, high=100.0)
    precision: float = option(
        0.0, "exponent of the share of hypothesis words aligned", low=0.0, high=100.0
    )
    recall: float = option(
        0.0, "exponent of the share of reference words aligned", low=0.0, high=100.0
    )
    f: float = option(0.0, "exponent of the F-score of these two", low=0.0, high=100.0)
    beta: float = option(1.0, "how much more recall counts than precision in F", low=0.0, high=1e6)
    brevity: float = option(0.0, "exponent of the brevity penalty", low=0.0, high=100.0)
    bend: bool = option(False, "b(x) = 1 - sqrt(1 - x) of the agreement")
    bleu: float = option(0.0, "share of BLEU in a mixture with this score", low=0.0, high=1.0)
    stem: str = option("none", STEM_HELP)
    stop: str = option("none", STOP_HELP)

    distance: ClassVar[bool] = False

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are score, 1, agreement, P, R, BP, reference words in
        the list, |h|, |r|; BLEU's.
        """
        ranks = native.WordOrder(
            measure=self.measure,
            contexts="one",
            order=self.order,
            precision=self.precision,
            recall=self.recall,
            f=self.f,
            brevity=self.brevity,
            beta=self.beta,
            bend=self.bend,
            skip_empty=False,
            distance=self.distance,
        )
        return native.Joined((ranks, self._bleu().kernel())) if self.bleu > 0 else ranks

    def _bleu(self) -> BLEU:
        return BLEU(tokenizer=self.tokenizer, lowercase=self.lowercase, smooth="none")

    def score(self, totals: Floats) -> Floats:
        """Return the mean over segments, and BLEU's share if there is one."""
        mean = super().score(totals)
        if self.bleu > 0:
            mean = self.bleu * self._bleu().score(totals[..., COLUMNS:]) + (1 - self.bleu) * mean
        return mean

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return means of the factors over segments."""
        return mean_factors(totals)

    def trace_words(self, hyp: list[str], ref: list[str]) -> Trace:
        """Show the words whose order is compared."""
        return builders.linked(hyp, ref, native.word_order(hyp, ref, contexts="one"))


def mean_factors(totals: Floats) -> dict[str, float]:
    """Return the means of what the kernel's score is made of."""
    segments = max(float(totals[1]), 1.0)
    names = ("order", "precision", "recall", "brevity_penalty")
    return dict(zip(names, (np.asarray(totals[2:6]) / segments).tolist(), strict=True))


@dataclass(frozen=True, kw_only=True)
class NSR(NKT):
    """Agreement of word order by Spearman's rank correlation."""

    info: ClassVar[Info] = replace(
        NKT.info, name="nsr", title="Normalised Spearman ρ of word order"
    )

    measure: Measure = option("spearman", "of order; hamming: the share of words not displaced")


@dataclass(frozen=True, kw_only=True)
class NKTP(NKT):
    """Normalised Kendall τ times a power of precision."""

    info: ClassVar[Info] = replace(
        NKT.info, name="nktp", title="Normalised Kendall τ times precision"
    )

    precision: float = option(
        0.25, "exponent of the share of hypothesis words aligned", low=0.0, high=100.0
    )


@dataclass(frozen=True, kw_only=True)
class NSRP(NSR):
    """Normalised Spearman ρ times a power of precision."""

    info: ClassVar[Info] = replace(
        NKT.info, name="nsrp", title="Normalised Spearman ρ times precision"
    )

    precision: float = option(
        0.25, "exponent of the share of hypothesis words aligned", low=0.0, high=100.0
    )


@dataclass(frozen=True, kw_only=True)
class KendallDistance(NKT):
    """1 - NKT: the share of word pairs in the wrong order."""

    info: ClassVar[Info] = replace(
        NKT.info,
        name="kendall-distance",
        title="Kendall distance of word order",
        higher_is_better=False,
    )

    distance: ClassVar[bool] = True
