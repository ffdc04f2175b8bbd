"""YiSi-0: similarity of n-grams whose words need not be equal, without resources (Lo, 2019)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from nlgauge.core.metric import Info, MeanMetric
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.metrics.ngram.frequencies import frequencies


@dataclass(frozen=True, kw_only=True)
class YiSi0(MeanMetric[native.Frequencies]):
    """Words are as similar as their longest common substring is long, and weigh by their rarity.

    Of several references, the best precision and the best recall count.
    """

    info: ClassVar[Info] = Info(
        name="yisi-0",
        title="YiSi-0",
        family="character",
        cell="CF·U·char",
        tasks=("MT",),
        criteria=("adequacy",),
        scale=1.0,
        slow_on_long_lines=True,
        pair_seconds=3.8e-8,
        paper="Lo (2019), YiSi: a unified semantic MT quality evaluation and estimation metric",
        checked_against="YiSi of 2019-05-28 (github.com/chikiulo/yisi, fd07bfc)",
    )

    tokenizer: str = option(
        "13a", "how texts are split into words: see `nlgauge metrics --tokenizers`"
    )
    lowercase: bool = option(False, "ignore case")
    order: int = option(3, "length of the n-grams compared", low=1, high=9)
    alpha: float = option(0.8, "how much recall counts; the rest is precision", low=0.0, high=1.0)
    similarity: Literal["substring", "exact"] = option("substring", "of two words")
    weights: Literal["idf", "uniform"] = option("idf", "of words, by the references they occur in")
    profile: Literal["formula", "yisi"] = option(
        "formula", "yisi: the tool's way with bytes and with words no reference has"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preparation()

    def count_part(self, part: Corpus) -> native.Frequencies:
        """Count in how many references each word occurs."""
        return frequencies(part, self.preparation(), order=1, unit="reference", least=1)

    def kernel(self, state: native.Frequencies) -> Kernel:
        """Return the kernel, whose columns are the score, 1, precision, recall."""
        return native.Yisi(
            state,
            order=self.order,
            alpha=self.alpha,
            substring=self.similarity == "substring",
            idf=self.weights == "idf",
            tool=self.profile == "yisi",
        )

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return mean precision and recall."""
        precision, recall = (totals[2:] / max(totals[1], 1)).tolist()
        return {"precision": precision, "recall": recall}
