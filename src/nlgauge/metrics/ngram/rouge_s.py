"""ROUGE-S and ROUGE-SU: overlap of skip-bigrams, without and with single words (Lin, 2004)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nlgauge.core.metric import Info
from nlgauge.core.options import LARGEST, option
from nlgauge.kernels import Kernel, native
from nlgauge.metrics.ngram.rouge import PAPER, TASKS, ReferenceCounts, Rouge


@dataclass(frozen=True, kw_only=True)
class RougeS(Rouge):
    """ROUGE-S compares texts by the ordered pairs of words they share."""

    info: ClassVar[Info] = Info(
        name="rouge-s",
        title="ROUGE: skip-bigrams",
        family="ngram",
        cell="CF·U·word-other",
        tasks=TASKS,
        criteria=("informativeness", "fluency"),
        scale=1.0,
        perfect_on_itself=True,
        pair_seconds=1.5e-9,
        paper=PAPER,
        checked_against="ROUGE-1.5.5",
    )

    gap: int | None = option(
        None, "most words between the two; none: any number", low=0, high=LARGEST
    )

    unigrams: ClassVar[bool] = False

    def kernel(self, state: ReferenceCounts) -> Kernel:
        """Return the kernel, whose columns are precision, recall, F, 1, matches, pairs of the
        references and of h.
        """
        return native.RougeS(
            self._options(state),
            gap=self.gap,
            unigrams=self.unigrams,
            # ROUGE-1.5.5 counts single words where a pair starts, and so never the last.
            drop_last=self._profile.official,
        )


@dataclass(frozen=True, kw_only=True)
class RougeSU(RougeS):
    """Overlap of ordered pairs of words and of single words."""

    info: ClassVar[Info] = Info(
        name="rouge-su",
        title="ROUGE: skip-bigrams and unigrams",
        family="ngram",
        cell="CF·U·word-other",
        tasks=TASKS,
        criteria=("informativeness", "fluency"),
        scale=1.0,
        perfect_on_itself=True,
        pair_seconds=1.5e-9,
        paper=PAPER,
        checked_against="ROUGE-1.5.5",
    )

    unigrams: ClassVar[bool] = True
