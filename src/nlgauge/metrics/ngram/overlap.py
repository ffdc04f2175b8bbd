"""Ol: overlap of two texts as bags of words, the lexical overlap of Asiya (Giménez and Màrquez,
2010), a feature of BLEND.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from nlgauge.core.metric import Info, MeanMetric
from nlgauge.core.options import option
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.text.preparation import STEM_HELP, STOP_HELP


@dataclass(frozen=True, kw_only=True)
class WordOverlap(MeanMetric):
    """Words the texts share over the words either has (Jaccard), best reference."""

    info: ClassVar[Info] = Info(
        name="ol",
        title="Word overlap",
        family="ngram",
        cell="CF·U·word-ngram",
        tasks=("MT",),
        scale=1.0,
        paper="Giménez and Màrquez (2010), Asiya: an open toolkit for automatic MT evaluation",
        checked_against="Asiya's Overlap.pm",
    )

    tokenizer: str = option(
        "13a", "how texts are split into words: see `nlgauge metrics --tokenizers`"
    )
    lowercase: bool = option(False, "ignore case")
    measure: Literal["overlap", "precision", "recall", "asiya-recall"] = option(
        "overlap",
        "overlap: over the words of both; precision, recall: of one side; asiya-recall: "
        "Asiya's Rl, where a common word counts as often as the text has it that repeats it more",
    )
    stem: str = option("none", STEM_HELP)
    stop: str = option("none", STOP_HELP)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preparation()

    @property
    def bounds(self) -> tuple[float, float]:
        """Recall as Asiya counts it has no upper bound."""
        return (0.0, float("inf")) if self.measure == "asiya-recall" else self.info.bounds

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are the score, 1, overlap, precision, recall."""
        return native.Overlap(measure=self.measure)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return means of all three measures, with the reference that is best by the chosen one."""
        overlap, precision, recall = (totals[2:] / max(totals[1], 1)).tolist()
        return {"overlap": overlap, "precision": precision, "recall": recall}
