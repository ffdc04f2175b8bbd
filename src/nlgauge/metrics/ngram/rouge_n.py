"""ROUGE-N: overlap of n-grams (Lin, 2004)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.kernels import Kernel, native
from nlgauge.metrics.ngram.rouge import PAPER, TASKS, ReferenceCounts, Rouge


@dataclass(frozen=True, kw_only=True)
class RougeN(Rouge):
    """ROUGE-N compares texts by the n-grams they share."""

    info: ClassVar[Info] = Info(
        name="rouge-n",
        title="Recall-Oriented Understudy for Gisting Evaluation: n-grams",
        family="ngram",
        cell="CF·U·word-ngram",
        tasks=TASKS,
        criteria=("informativeness",),
        scale=1.0,
        perfect_on_itself=True,
        paper=PAPER,
        checked_against="ROUGE-1.5.5; rouge-score 0.1.2",
    )

    order: int = option(1, "words of an n-gram", low=1, high=9)

    def kernel(self, state: ReferenceCounts) -> Kernel:
        """Return the kernel, whose columns are precision, recall, F, 1, matches, n-grams of the
        references and of h.
        """
        return native.RougeN(self._options(state), order=self.order)
