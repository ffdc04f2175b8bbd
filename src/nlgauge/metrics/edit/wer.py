"""WER and MWER: insertions, deletions and substitutions per reference word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.metrics.edit.rate import ErrorRate, WordErrors
from nlgauge.text.preparation import STEM_HELP, STOP_HELP


@dataclass(frozen=True, kw_only=True)
class WER(ErrorRate):
    """Word error rate; with `tokenizer=jiwer`, words and empty references are as in jiwer."""

    info: ClassVar[Info] = Info(
        name="wer",
        title="Word Error Rate",
        family="edit",
        cell="CF·U·word-edit",
        tasks=("MT", "ASR"),
        criteria=("adequacy", "fluency"),
        higher_is_better=False,
        bounds=(0.0, float("inf")),
        scale=1.0,
        perfect_on_itself=True,
        paper="Leusch et al. (2005), Preprocessing and normalization for automatic evaluation",
        checked_against="jiwer 4.0.0, WER.pl 1.0, Moses' WER scorer",
    )

    stem: str = option("none", STEM_HELP)
    stop: str = option("none", STOP_HELP)

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel: a Levenshtein distance of words."""
        return native.Wer(ref_length=self.ref_length)

    def score(self, totals: Floats) -> Floats:
        """Return errors per reference word; jiwer 4.0.0 counts them all against nothing."""
        if self.tokenizer == "jiwer":
            return np.where(totals[..., 1] > 0, super().score(totals), totals[..., 0])
        return super().score(totals)


@dataclass(frozen=True, kw_only=True)
class MWER(WordErrors):
    """WER against the nearest of several references; of equally near ones, the longest."""

    info: ClassVar[Info] = Info(
        name="mwer",
        title="Multi-reference Word Error Rate",
        family="edit",
        cell="CF·U·word-edit",
        tasks=("MT",),
        criteria=("adequacy", "fluency"),
        higher_is_better=False,
        bounds=(0.0, float("inf")),
        scale=1.0,
        perfect_on_itself=True,
        paper="Nießen et al. (2000), An evaluation tool for machine translation",
        checked_against="hand calculations",
    )

    stem: str = option("none", STEM_HELP)
    stop: str = option("none", STOP_HELP)

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel: a Levenshtein distance of words."""
        return native.Wer(ref_length="nearest")
