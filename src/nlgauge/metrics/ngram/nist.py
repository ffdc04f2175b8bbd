"""NIST: n-gram precision with rare n-grams counting more (Doddington, 2002)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.metric import Info, KernelMetric
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.metrics.ngram.bleu import RefLength
from nlgauge.metrics.ngram.frequencies import frequencies
from nlgauge.text.preparation import BOUNDARIES_HELP, STEM_HELP, STOP_HELP, Boundaries, Preparation

# The penalty halves the score of an output two thirds as long as the references.
BETA = np.log(0.5) / np.log(1.5) ** 2


@dataclass(frozen=True, kw_only=True)
class NIST(KernelMetric[tuple[native.Frequencies, int]]):
    """Information of the matched n-grams per n-gram, summed over the orders."""

    info: ClassVar[Info] = Info(
        name="nist",
        title="NIST score",
        family="ngram",
        cell="CF·U·word-ngram",
        tasks=("MT", "AS", "DG", "IC", "QA", "D2T", "QG"),
        criteria=("lexical choice",),
        bounds=(0.0, float("inf")),
        scale=1.0,
        paper="Doddington (2002), Automatic evaluation of MT quality using n-gram co-occurrence",
        checked_against="mteval-v13a.pl, mteval-v14.pl; NLTK 3.10.4 (profile=nltk)",
    )

    tokenizer: str = option(
        "13a", "how texts are split into words: see `nlgauge metrics --tokenizers`"
    )
    lowercase: bool = option(True, "ignore case")
    max_order: int = option(5, "longest n-grams counted", low=1, high=9)
    ref_length: RefLength = option("average", "which reference length the penalty looks at")
    profile: Literal["formula", "mteval", "nltk"] = option(
        "formula",
        "mteval: what follows the word 0 weighs as if it stood alone; nltk: one reference for each "
        "order, and segments weighed by their own references",
    )

    boundaries: Boundaries = option("none", BOUNDARIES_HELP)
    stem: str = option("none", STEM_HELP)
    stop: str = option("none", STOP_HELP)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preparation()
        if self.profile == "nltk" and self.boundaries != "none":
            raise SpecError(f"boundaries={self.boundaries}: NLTK has none; leave out profile=nltk")

    def preparation(self) -> Preparation:
        """Return how texts become words, maybe enclosed by boundary words."""
        return replace(super().preparation(), boundaries=self.boundaries)

    def count_part(self, part: Corpus) -> tuple[native.Frequencies, int]:
        """Count the n-grams of the references, and the references."""
        return self._counted(part, least=1), len(part.references.flat)

    def settle(self, counts: tuple[native.Frequencies, int]) -> tuple[native.Frequencies, int]:
        """Keep n-grams that occur twice; their number gives them their information."""
        return counts[0].at_least(2), counts[1]

    def fit(self, corpus: Corpus) -> tuple[native.Frequencies, int]:
        """Count a whole corpus, where n-grams that occur once need never be kept."""
        return self._counted(corpus, least=2), len(corpus.references.flat)

    def _counted(self, corpus: Corpus, *, least: int) -> native.Frequencies:
        order = self.max_order
        return frequencies(corpus, self.preparation(), order=order, unit="token", least=least)

    def kernel(self, state: tuple[native.Frequencies, int]) -> Kernel:
        """Return the kernel, whose columns are |h|, reference length, information 1..N, n-grams
        1..N; of NLTK more.
        """
        counts, references = state
        if self.profile == "nltk":
            return native.NltkNist(counts, order=self.max_order)
        start, end = self.boundaries in ("start", "both"), self.boundaries in ("end", "both")
        return native.Nist(
            counts,
            order=self.max_order,
            ref_length=self.ref_length,
            zero_is_nothing=self.profile == "mteval",
            start=start,
            end=end,
            enclosing=(start + end) * references,
        )

    def score(self, totals: Floats) -> Floats:
        """Return the penalty times the sum of the orders' mean information."""
        totals = self._weighed(totals)
        scores: Floats = self._penalty(totals) * self._information(totals).sum(axis=-1)
        return scores

    def _weighed(self, totals: Floats) -> Floats:
        """Return the first four kinds of columns; for a single segment of NLTK, by its own
        weights.
        """
        end = 2 + 2 * self.max_order
        if self.profile != "nltk":
            return totals
        weighed = totals[..., :end].copy()
        own = totals[..., end, None] == 1
        weighed[..., 1:2] = np.where(own, totals[..., end + 1, None], weighed[..., 1:2])
        information = slice(2, 2 + self.max_order)
        weighed[..., information] = np.where(own, totals[..., end + 2 :], weighed[..., information])
        return weighed

    def _information(self, totals: Floats) -> Floats:
        n = self.max_order
        information: Floats = totals[..., 2 : 2 + n] / np.maximum(totals[..., 2 + n :], 1)
        return information

    def _penalty(self, totals: Floats) -> Floats:
        hyp, ref = totals[..., 0], totals[..., 1]
        ratio = np.divide(hyp, ref, out=np.ones(hyp.shape), where=ref > 0)
        logs = np.log(ratio, out=np.zeros(ratio.shape), where=ratio > 0)
        penalty: Floats = np.exp(BETA * np.minimum(logs, 0) ** 2) * (hyp > 0)
        return penalty

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the scores of each order and up to each order, the penalty and the lengths."""
        totals = self._weighed(totals)
        summed = self.max_order if self.profile == "nltk" else 1  # lengths are, over the orders
        penalty = float(self._penalty(totals))
        information = penalty * self._information(totals)
        return {
            "individual": information.tolist(),
            "cumulative": information.cumsum().tolist(),
            "brevity_penalty": penalty,
            "hyp_len": int(totals[0] / summed),
            "ref_len": float(totals[1] / summed),
        }
