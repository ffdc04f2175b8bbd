"""ROUGE-W: the longest common subsequence with a premium on runs (Lin, 2004)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.explain import builders
from nlgauge.explain.traces import Trace
from nlgauge.kernels import Kernel, native
from nlgauge.metrics.ngram.rouge import PAPER, TASKS, ReferenceCounts, Rouge


@dataclass(frozen=True, kw_only=True)
class RougeW(Rouge):
    """The weighted longest common subsequence of texts; in ROUGE-1.5.5, line by line."""

    info: ClassVar[Info] = Info(
        name="rouge-w",
        title="ROUGE: weighted longest common subsequence",
        family="ngram",
        cell="CF·U·word-other",
        tasks=TASKS,
        criteria=("informativeness", "fluency"),
        scale=1.0,
        perfect_on_itself=True,
        pair_seconds=1.3e-9,
        paper=PAPER,
        checked_against="ROUGE-1.5.5",
    )

    weight: float = option(1.2, "a run of k words is worth k to this power", low=1.0, high=5.0)  # type: ignore[misc]

    @property
    def _restart(self) -> bool:
        return self._profile.official and self.max_bytes > 0

    def kernel(self, state: ReferenceCounts) -> Kernel:
        """Return the kernel, whose columns are precision, recall, F, 1, worth of the matches, of
        the references and of h.
        """
        return native.RougeW(
            self._options(state),
            lines=self._profile.official,
            restart=self._restart,
            weight=self.weight,
        )

    def trace_words(self, hyp: list[str], ref: list[str]) -> Trace:
        """Show a longest common subsequence of the words."""
        return builders.subsequence(hyp, ref)
