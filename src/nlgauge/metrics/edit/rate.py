"""What the error rates share: errors over reference words, and which reference they look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from nlgauge.core.metric import KernelMetric
from nlgauge.core.options import option
from nlgauge.kernels import Floats

if TYPE_CHECKING:
    from nlgauge.explain.traces import Trace

RefLength = Literal["best", "closest", "shortest", "average", "avg_nearest"]


def error_rate(errors: Floats, length: Floats) -> Floats:
    """Return errors per reference word; 1 for errors against nothing, 0 for nothing against
    nothing.
    """
    against_nothing = np.where(errors > 0, 1.0, 0.0)
    rate: Floats = np.divide(errors, length, out=against_nothing, where=length > 0)
    return rate


@dataclass(frozen=True, kw_only=True)
class WordErrors(KernelMetric):
    """A distance between words, summed over segments and divided by reference words.

    Columns: distance, reference length, hypothesis length, matches.
    """

    tokenizer: str = option(
        "none", "how texts are split into words: see `nlgauge metrics --tokenizers`"
    )
    lowercase: bool = option(False, "ignore case")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preparation()

    def score(self, totals: Floats) -> Floats:
        """Return errors per reference word."""
        return error_rate(totals[..., 0], totals[..., 1])

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the numbers of errors and words."""
        return {
            "errors": int(totals[0]),
            "ref_len": float(totals[1]),
            "hyp_len": int(totals[2]),
        }

    def trace_words(self, hyp: list[str], ref: list[str]) -> Trace:
        """Show the fewest edits between the texts."""
        from nlgauge.explain import builders  # late: most scores are not explained

        return builders.edits(hyp, ref)


@dataclass(frozen=True, kw_only=True)
class ErrorRate(WordErrors):
    """Word errors with a rule for several references (Leusch et al., 2005)."""

    ref_length: RefLength = option(
        "best",
        "best: distance and length of the reference with the lowest rate; otherwise the smallest "
        "distance over the length closest to h, the shortest, the average, or the average of the "
        "nearest references",
    )
