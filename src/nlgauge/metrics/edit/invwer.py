"""INVWER: word error rate with block inversions (Leusch, Ueffing & Ney, 2003)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.kernels import Kernel, native
from nlgauge.metrics.edit.rate import ErrorRate
from nlgauge.text.preparation import STEM_HELP, STOP_HELP


@dataclass(frozen=True, kw_only=True)
class INVWER(ErrorRate):
    """WER in which two adjacent blocks may swap places at a cost of 1, also inside blocks."""

    info: ClassVar[Info] = Info(
        name="invwer",
        title="Word Error Rate with Block Inversion",
        family="edit",
        cell="CF·U·word-edit",
        tasks=("MT",),
        criteria=("adequacy", "fluency"),
        higher_is_better=False,
        bounds=(0.0, float("inf")),
        scale=1.0,
        slow_on_long_lines=True,
        paper="Leusch et al. (2003), A novel string-to-string distance measure",
        checked_against="hand calculations",
        revision=2,
    )

    max_length: int = option(
        40,
        "texts of more words are cut along their alignment into parts that stay in order, because "
        "the effort grows with the sixth power of the length",
        low=1,
        high=64,
    )
    stem: str = option("none", STEM_HELP)
    stop: str = option("none", STOP_HELP)

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel: a distance over all ways of bracketing."""
        return native.Invwer(max_length=self.max_length, ref_length=self.ref_length)
