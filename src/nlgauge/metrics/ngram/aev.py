"""PS, RS and AEv: one family of n-gram measures from precision to recall, whose members suit
different tasks (Soricut and Brill, 2004).

The paper has one reference per text; with several, their counts are averaged. Its list of stop
words is not public: `stop=smart` stands for it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge import kernels
from nlgauge.core.arithmetic import weighted_harmonic_mean
from nlgauge.core.metric import Info, Metric
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats, native
from nlgauge.text.preparation import (
    BOUNDARIES_HELP,
    STEM_HELP,
    STOP_HELP,
    Boundaries,
    Preparation,
    prepare,
)

PAPER = "Soricut and Brill (2004), A unified framework for automatic evaluation using n-grams"
CHECKED = "hand calculation; BLEU of sacreBLEU 2.6.0 where they coincide"


@dataclass(frozen=True, kw_only=True)
class NgramFamily(Metric):
    """What the members share: words, n-gram counts, and geometric means over the orders."""

    tokenizer: str = option(
        "13a", "how texts are split into words: see `nlgauge metrics --tokenizers`"
    )
    lowercase: bool = option(True, "ignore case")
    stem: str = option("porter", STEM_HELP)
    stop: str = option("smart", STOP_HELP)
    stop_scope: Literal["unigrams", "sequence"] = option(
        "unigrams", "leave stop words out of unigrams only, or of the text before anything else"
    )
    max_order: int = option(4, "longest n-grams counted", low=1, high=9)
    weights: tuple[float, ...] | None = option(
        None, "of the orders, like 0.5:0.5; none: uniform", low=0.0, high=1e6
    )
    boundaries: Boundaries = option("none", BOUNDARIES_HELP)

    def __post_init__(self) -> None:
        super().__post_init__()
        replace(self._preparation(self.stop), boundaries=self.boundaries)
        if self.weights is not None and len(self.weights) != self.max_order:
            raise SpecError(
                f"weights: {len(self.weights)} given for max_order={self.max_order}; give one each"
            )
        if self.weights is not None and not sum(self.weights) > 0:
            raise SpecError(f"weights={self.weights}: at least one must be above 0")

    def _preparation(self, stop: str) -> Preparation:
        return Preparation(self.tokenizer, lowercase=self.lowercase, stem=self.stem, stop=stop)

    def preparation(self) -> Preparation:
        """Return how texts are split into words, where stop words are left out."""
        return self._preparation(self.stop)

    def resources(self) -> dict[str, str]:
        """Return the version of the tokeniser's dictionary, if it has one."""
        return self._preparation(self.stop).resources()

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: |h|, |r|, matches 1..N, n-grams of h 1..N, n-grams of r 1..N."""
        scope = self.stop if self.stop_scope == "sequence" else "none"
        counts = self._counts(corpus, scope, self.max_order, threads, self.boundaries)
        if scope != self.stop or self.boundaries != "none":
            unigrams = self._counts(corpus, self.stop, 1, threads)
            counts[:, 2 :: self.max_order] = unigrams[:, 2:]
        if self.boundaries != "none":  # lengths are those of the words
            counts[:, :2] -= 2 if self.boundaries == "both" else 1
        return counts

    def _counts(
        self, corpus: Corpus, stop: str, order: int, threads: int, boundaries: Boundaries = "none"
    ) -> Floats:
        preparation = replace(self._preparation(stop), boundaries=boundaries)
        prepared, tokenizer, lowercase = prepare(corpus, preparation)
        return kernels.rows(
            prepared,
            [native.NgramCounts(order=order)],
            tokenizer=tokenizer,
            lowercase=lowercase,
            reading=preparation.reading(),
            threads=threads,
        )[0]

    def _mean(self, totals: Floats, side: int) -> Floats:
        """Return the geometric mean over the orders of matches per n-gram of h (side 1) or of r
        (2).
        """
        matches, _, _ = columns = np.split(totals[..., 2:], 3, axis=-1)
        shares = np.divide(
            matches, columns[side], out=np.zeros(matches.shape), where=columns[side] > 0
        )
        weights = np.asarray(self.weights or (1.0,) * self.max_order)
        logs = np.log(shares, out=np.zeros(shares.shape), where=shares > 0)
        mean = np.exp((logs * (weights / weights.sum())).sum(axis=-1))
        result: Floats = np.where(((shares > 0) | (weights == 0)).all(axis=-1), mean, 0.0)
        return result


@dataclass(frozen=True, kw_only=True)
class PS(NgramFamily):
    """The precision-focused family: BLEU is its member of order 4 on plain words."""

    info: ClassVar[Info] = Info(
        name="ps",
        title="Precision-focused n-gram family PS(N)",
        family="ngram",
        cell="CF·U·word-ngram",
        tasks=("MT",),
        criteria=("fluency",),
        scale=1.0,
        paper=PAPER,
        checked_against=CHECKED,
    )

    brevity: float = option(1.0, "texts this many times shorter go unpunished", low=1e-9, high=1e9)

    def score(self, totals: Floats) -> Floats:
        """Return the brevity penalty times the mean precision."""
        return self.ps(totals)

    def ps(self, totals: Floats) -> Floats:
        """Return PS(N), the precision-focused end of the family."""
        hyp, ref = totals[..., 0], totals[..., 1]
        excess = np.divide(ref, self.brevity * hyp, out=np.ones(hyp.shape), where=hyp > 0)
        scores: Floats = np.exp(1 - np.maximum(excess, 1)) * self._mean(totals, 1)
        return scores


@dataclass(frozen=True, kw_only=True)
class RS(NgramFamily):
    """The recall-focused family: without penalty, its member of order 1 is ROUGE's ancestor."""

    info: ClassVar[Info] = Info(
        name="rs",
        title="Recall-focused n-gram family RS(N)",
        family="ngram",
        cell="CF·U·word-ngram",
        tasks=("AS",),
        criteria=("coverage",),
        scale=1.0,
        paper=PAPER,
        checked_against=CHECKED,
    )

    wordiness: float = option(
        2.0, "texts this many times longer go unpunished; inf: all do", low=1e-9, high=math.inf
    )
    # As printed in the paper, infinite wordiness would give 0 and W = 2 punish equal lengths.
    wordiness_penalty: Literal["symmetric", "printed"] = option(
        "symmetric", "the mirror image of the brevity penalty, or the formula as printed"
    )

    def score(self, totals: Floats) -> Floats:
        """Return the wordiness penalty times the mean recall."""
        return self.rs(totals)

    def rs(self, totals: Floats) -> Floats:
        """Return RS(N), the recall-focused end of the family."""
        hyp, ref = totals[..., 0], totals[..., 1]
        excess = np.divide(hyp, ref, out=np.ones(hyp.shape), where=ref > 0)
        symmetric = self.wordiness_penalty == "symmetric"
        excess = excess / self.wordiness if symmetric else excess * self.wordiness
        scores: Floats = np.exp(1 - np.maximum(excess, 1)) * self._mean(totals, 2)
        return scores


@dataclass(frozen=True, kw_only=True)
class AEv(PS, RS):
    """The harmonic mean of both: alpha 0 is RS(N), 1 is PS(N)."""

    info: ClassVar[Info] = Info(
        name="aev",
        title="Unified n-gram family AEv(α, N)",
        family="ngram",
        cell="CF·U·word-ngram",
        tasks=("MT", "AS", "QA"),
        criteria=("fluency", "adequacy", "coverage", "correctness"),
        scale=1.0,
        paper=PAPER,
        checked_against=CHECKED,
    )

    alpha: float = option(0.5, "how much precision counts; the rest is recall", low=0.0, high=1.0)

    def score(self, totals: Floats) -> Floats:
        """Return the weighted harmonic mean of PS(N) and RS(N)."""
        ps, rs = self.ps(totals), self.rs(totals)
        return weighted_harmonic_mean(rs, ps, self.alpha)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return PS(N) and RS(N), the two ends of the family."""
        return {"ps": float(self.ps(totals)), "rs": float(self.rs(totals))}
