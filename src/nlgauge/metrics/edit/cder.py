"""CDER: the reference covered by parts of the hypothesis in any order (Leusch et al., 2006)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.kernels import Kernel, native
from nlgauge.metrics.edit.rate import WordErrors
from nlgauge.text.preparation import STEM_HELP, STOP_HELP


@dataclass(frozen=True, kw_only=True)
class CDER(WordErrors):
    """Cover/disjoint error rate: parts of h may be skipped or used again, a jump costs 1."""

    info: ClassVar[Info] = Info(
        name="cder",
        title="Cover/Disjoint Error Rate",
        family="edit",
        cell="CF·U·word-edit",
        tasks=("MT",),
        criteria=("adequacy", "fluency"),
        higher_is_better=False,
        bounds=(0.0, float("inf")),
        scale=1.0,
        perfect_on_itself=True,
        paper="Leusch et al. (2006), CDER: efficient MT evaluation using block movements",
        checked_against="Moses' CDER scorer (2025-02-03)",
    )

    ref_length: Literal["best", "closest", "shortest", "average", "avg_nearest", "moses"] = option(
        "best",
        "as for WER; moses: as its scorer chooses, which compares scores cast to integers and so "
        "hardly ever leaves the first reference",
    )
    stem: str = option("none", STEM_HELP)
    stop: str = option("none", STOP_HELP)

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel: a Levenshtein distance with long jumps."""
        return native.Cder(ref_length=self.ref_length)
