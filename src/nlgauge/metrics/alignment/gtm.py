"""GTM: runs of matching words, long ones rewarded (Turian et al., 2003; Melamed et al., 2003)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from nlgauge.core.arithmetic import harmonic_mean, ratio
from nlgauge.core.metric import Info, KernelMetric
from nlgauge.core.options import option
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.text.preparation import STEM_HELP, STOP_HELP


@dataclass(frozen=True, kw_only=True)
class GTM(KernelMetric):
    """F-score of the maximum match size, (Σ runᵉ)^(1/e).

    As in the program, ties go to the run that starts last, and all references are searched
    together: their mean length bounds the matched words and is what recall divides by.
    """

    info: ClassVar[Info] = Info(
        name="gtm",
        title="General Text Matcher",
        family="alignment",
        cell="CF·U·word-ngram",
        tasks=("MT", "AS", "QA"),
        criteria=("adequacy",),
        scale=1.0,
        pair_seconds=1.8e-8,
        paper="Turian et al. (2003), Evaluation of machine translation and its evaluation",
        checked_against="gtm.jar 1.4",
        revision=2,
    )

    tokenizer: str = option("ascii", "how texts are split into words; ascii: as in the program")
    lowercase: bool = option(False, "ignore case")
    exponent: float = option(1.0, "reward of long runs; 1: none", low=1.0, high=50.0)
    references: Literal["joint", "best"] = option(
        "joint", "all references together, as in the program, or the best one"
    )
    stem: str = option("none", STEM_HELP)
    stop: str = option("none", STOP_HELP)

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are maximum match size, |h|, reference length, runs."""
        return native.Gtm(exponent=self.exponent, references=self.references)

    def score(self, totals: Floats) -> Floats:
        """Return F1 of summed match sizes and lengths."""
        precision, recall = self._precision_recall(totals)
        return harmonic_mean(precision, recall)

    def _precision_recall(self, totals: Floats) -> tuple[Floats, Floats]:
        size, hyp, ref = totals[..., 0], totals[..., 1], totals[..., 2]
        return ratio(size, hyp), ratio(size, ref)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return precision, recall, match size and runs."""
        precision, recall = self._precision_recall(totals)
        return {
            "precision": float(precision),
            "recall": float(recall),
            "match_size": float(totals[0]),
            "runs": int(totals[3]),
        }
