"""ROUGE-L: the longest common subsequence, of texts or sentence by sentence (Lin, 2004)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.explain import builders
from nlgauge.explain.traces import Trace
from nlgauge.kernels import Kernel, native
from nlgauge.metrics.ngram.rouge import PAPER, TASKS, ReferenceCounts, Rouge


@dataclass(frozen=True, kw_only=True)
class RougeL(Rouge):
    """ROUGE-L compares texts by their longest common subsequence."""

    info: ClassVar[Info] = Info(
        name="rouge-l",
        title="ROUGE: longest common subsequence",
        family="ngram",
        cell="CF·U·word-other",
        tasks=TASKS,
        criteria=("informativeness", "fluency"),
        scale=1.0,
        perfect_on_itself=True,
        paper=PAPER,
        checked_against="ROUGE-1.5.5; rouge-score 0.1.2; pycocoevalcap 1.2",
        revision=2,
    )

    level: Literal["sentence", "summary"] | None = option(
        None, "texts as a whole, or each line with all lines: what ROUGE-1.5.5 does"
    )

    @property
    def _lines(self) -> bool:
        return self.level == "summary" or (self.level is None and self._profile.official)

    @property
    def _restart(self) -> bool:
        return self._profile.official and self.max_bytes > 0 and self._lines

    def kernel(self, state: ReferenceCounts) -> Kernel:
        """Return the kernel, whose columns are precision, recall, F, 1, matches, words of the
        references and of h.
        """
        return native.RougeL(self._options(state), lines=self._lines, restart=self._restart)

    def trace_words(self, hyp: list[str], ref: list[str]) -> Trace:
        """Show a longest common subsequence of the words."""
        return builders.subsequence(hyp, ref)
