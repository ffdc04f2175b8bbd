"""GLEU: the smaller of n-gram precision and recall (Wu et al., 2016, of Google's translator)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.metric import Info, KernelMetric
from nlgauge.core.options import option
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.text.preparation import STEM_HELP, STOP_HELP


@dataclass(frozen=True, kw_only=True)
class GLEU(KernelMetric):
    """Matched n-grams of all orders over the n-grams of the longer text, best reference."""

    info: ClassVar[Info] = Info(
        name="gleu",
        title="Google BLEU",
        family="ngram",
        cell="CF·U·word-ngram",
        tasks=("MT",),
        scale=1.0,
        perfect_on_itself=True,
        paper="Wu et al. (2016), Google's neural machine translation system",
        checked_against="NLTK 3.10.4",
    )

    tokenizer: str = option(
        "13a", "how texts are split into words: see `nlgauge metrics --tokenizers`"
    )
    lowercase: bool = option(False, "ignore case")
    min_order: int = option(1, "shortest n-grams counted", low=1, high=9)
    max_order: int = option(4, "longest n-grams counted", low=1, high=9)
    stem: str = option("none", STEM_HELP)
    stop: str = option("none", STOP_HELP)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preparation()
        if self.min_order > self.max_order:
            raise SpecError(
                f"gleu(min_order={self.min_order},max_order={self.max_order}): no order is left; "
                "min_order must not be larger"
            )

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are matched n-grams, n-grams of the longer text."""
        return native.Gleu(least=self.min_order, most=self.max_order)

    def score(self, totals: Floats) -> Floats:
        """Return the share of n-grams that match."""
        matches, grams = totals[..., 0], totals[..., 1]
        scores: Floats = np.divide(matches, grams, out=np.zeros(grams.shape), where=grams > 0)
        return scores

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the counts of matches and of n-grams."""
        return {"matches": int(totals[0]), "ngrams": int(totals[1])}
