"""chrF: F-score of character n-grams; with word n-grams chrF+, chrF++ (Popović, 2015, 2017)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from nlgauge.core.metric import Info, KernelMetric
from nlgauge.core.options import option
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats, Kernel, native

if TYPE_CHECKING:
    from nlgauge.explain.traces import Trace

EPSILON = 1e-16


@dataclass(frozen=True, kw_only=True)
class ChrF(KernelMetric):
    """chrF compares texts by the F-score of their character n-grams."""

    reads_words: ClassVar[bool] = False
    info: ClassVar[Info] = Info(
        name="chrf",
        title="Character n-gram F-score",
        family="character",
        cell="CF·U·char",
        tasks=("MT", "AS", "IC"),
        criteria=("adequacy",),
        perfect_on_itself=True,
        perfect_among_many=True,
        paper="Popović (2015), chrF: character n-gram F-score for automatic MT evaluation",
        checked_against="sacreBLEU 2.6.0",
    )

    char_order: int = option(6, "longest character n-grams counted", low=0, high=32)
    word_order: int = option(
        0, "longest word n-grams counted: 1 for chrF+, 2 for chrF++", low=0, high=32
    )
    beta: float = option(2.0, "how much more recall counts than precision", low=0.0, high=1e6)
    lowercase: bool = option(False, "ignore case")
    whitespace: bool = option(False, "count white space as characters")
    eps_smoothing: bool = option(False, "mean of the orders' F-scores, as in chrF++.py and Moses")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.char_order + self.word_order == 0:
            raise SpecError(
                "chrf(char_order=0,word_order=0): nothing to count; give at least one order"
            )

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are, for each order: n-grams of h, n-grams of the best
        reference, matches.
        """
        return native.Chrf(
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            whitespace=self.whitespace,
            eps_smoothing=self.eps_smoothing,
        )

    def score(self, totals: Floats) -> Floats:
        """Return F of the mean precision and mean recall over the orders both sides have."""
        hyp, ref, match = totals[..., 0::3], totals[..., 1::3], totals[..., 2::3]
        both = (hyp > 0) & (ref > 0)
        if self.eps_smoothing:
            precision = np.divide(match, hyp, out=np.full(hyp.shape, EPSILON), where=hyp > 0)
            recall = np.divide(match, ref, out=np.full(ref.shape, EPSILON), where=ref > 0)
            scores: Floats = self._f(precision, recall, EPSILON).mean(axis=-1)
            return scores
        orders = np.maximum(both.sum(axis=-1), 1)
        precision = np.divide(match, hyp, out=np.zeros(hyp.shape), where=both).sum(axis=-1) / orders
        recall = np.divide(match, ref, out=np.zeros(ref.shape), where=both).sum(axis=-1) / orders
        return self._f(precision, recall, 0.0)

    def _f(self, precision: Floats, recall: Floats, otherwise: float) -> Floats:
        factor = self.beta**2
        denominator = factor * precision + recall
        result: Floats = np.divide(
            (1 + factor) * precision * recall,
            denominator,
            out=np.full(np.shape(denominator), otherwise),
            where=denominator > 0,
        )
        return result

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the counts of each order."""
        counts = totals.astype(int).reshape(-1, 3)
        return {
            "hyp_ngrams": counts[:, 0].tolist(),
            "ref_ngrams": counts[:, 1].tolist(),
            "matches": counts[:, 2].tolist(),
        }

    def trace(self, hypothesis: str, reference: str) -> Trace:
        """Show common runs of characters."""
        hyp, ref = (text.lower() if self.lowercase else text for text in (hypothesis, reference))
        if not self.whitespace:
            hyp, ref = ("".join(text.split()) for text in (hyp, ref))
        from nlgauge.explain import builders  # late: most scores are not explained

        return replace(builders.runs(list(hyp), list(ref)), characters=True)
