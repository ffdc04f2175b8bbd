"""METEOR: words linked in stages, and a penalty for scattered links (Banerjee and Lavie, 2005)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from nlgauge.core.arithmetic import ratio
from nlgauge.core.metric import Info, KernelMetric
from nlgauge.core.options import option
from nlgauge.explain.traces import Alignment, Link, Trace
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.metrics.alignment import stages as stages_by_name
from nlgauge.text.stem import Dialect


@dataclass(frozen=True, kw_only=True)
class METEOR(KernelMetric):
    """Harmonic mean that favours recall, times 1 - gamma · (chunks / links)^beta.

    Each stage links as many words as it can, with the fewest crossings, and among such links those
    with fewest chunks; in texts with hundreds of repeated words the search may stop at less. The
    corpus score is that of summed counts. NLTK's `meteor_score` (3.10), the preset `meteor-nltk`,
    links words from the end instead, looks up synonyms of stems, and is averaged.
    """

    info: ClassVar[Info] = Info(
        name="meteor",
        title="METEOR (2005)",
        family="alignment",
        cell="CF·U·word-ngram",
        tasks=("MT", "AS", "DG", "IC", "QA", "D2T", "QG"),
        criteria=("adequacy", "fluency"),
        scale=1.0,
        paper="Banerjee and Lavie (2005), METEOR: an automatic metric for MT evaluation",
        checked_against="the paper's examples; brute force; NLTK 3.10.4 (meteor-nltk)",
        revision=3,
    )

    tokenizer: str = option("13a", "how texts are split into words")
    lowercase: bool = option(True, "ignore case")
    stages: tuple[str, ...] = option(
        ("exact", "stem", "synonym"), "what links words, like exact:stem; also wn_stem"
    )
    stemmer: Dialect = option("porter", "of the stem stage")
    stop_words: bool = option(True, "link stop words in the exact stage")
    linking: stages_by_name.Linking = option(
        "best", "fewest crossings, or the last free word of the reference as in NLTK"
    )
    alpha: float = option(0.9, "weight of recall in the harmonic mean", low=0.0, high=1.0)
    beta: float = option(3.0, "exponent of the penalty", low=0.0, high=100.0)
    gamma: float = option(0.5, "largest penalty", low=0.0, high=1.0)
    average: Literal["micro", "macro"] = option(
        "micro", "score of the summed counts, or mean of segment scores"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        stages_by_name.check(self.stages)

    def resources(self) -> dict[str, str]:
        """Name WordNet, if a stage asks it."""
        return {**super().resources(), **stages_by_name.resources(self.stages)}

    def english_only(self) -> tuple[str, ...]:
        """Name what the stages use that was made for English."""
        return (*super().english_only(), *stages_by_name.english_only(self.stages))

    def _stages(self) -> list[native.Stage]:
        return stages_by_name.make(self.stages, self.stemmer, self.stop_words, self.linking)

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are, for the best reference: links, chunks, |h|, |r|,
        score, 1.
        """
        return native.Meteor(
            stages=self._stages(),
            linking=self.linking,
            alpha=self.alpha,
            beta=self.beta,
            gamma=self.gamma,
        )

    def score(self, totals: Floats) -> Floats:
        """Return the formula on summed counts, or the mean of the segments' scores."""
        if self.average == "macro":
            return ratio(totals[..., 4], totals[..., 5])
        value: Floats = self._fmean(totals) * (1 - self._penalty(totals))
        return value

    def _fmean(self, totals: Floats) -> Floats:
        links, hyp, ref = totals[..., 0], totals[..., 2], totals[..., 3]
        return ratio(links, self.alpha * ref + (1 - self.alpha) * hyp)

    def _penalty(self, totals: Floats) -> Floats:
        penalty: Floats = self.gamma * ratio(totals[..., 1], totals[..., 0]) ** self.beta
        return penalty

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return precision, recall and penalty of the summed counts."""
        links, chunks, hyp, ref = totals[:4]
        return {
            "precision": float(ratio(links, hyp)),
            "recall": float(ratio(links, ref)),
            "fmean": float(self._fmean(totals)),
            "penalty": float(self._penalty(totals)),
            "links": int(links),
            "chunks": int(chunks),
        }

    def align(self, hyp: list[str], ref: list[str]) -> list[tuple[int, int, int]]:
        """Return (hypothesis word, reference word, stage) of each link between two lists of
        words.
        """
        return native.align_stages(hyp, ref, self._stages(), self.linking)

    def trace_words(self, hyp: list[str], ref: list[str]) -> Trace:
        """Show the links, each with the stage that made it."""
        links = (Link(i, j, self.stages[stage]) for i, j, stage in self.align(hyp, ref))
        return Alignment(tuple(hyp), tuple(ref), tuple(links))
