"""What the ROUGE family shares (Lin, 2004): words, several references, precision, recall and F.

Names as in rouge-score (`rouge1`, `rougeL`) mean that tool's numbers; `rouge-1` and `rouge-l` are
the paper's formulas on words of any script. All give F unless told otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from nlgauge.core.arithmetic import ratio, weighted_harmonic_mean
from nlgauge.core.metric import KernelMetric
from nlgauge.core.options import LARGEST, option
from nlgauge.data.corpus import Corpus
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats, native
from nlgauge.metrics.ngram import rouge155
from nlgauge.text.preparation import Preparation

PAPER = "Lin (2004), ROUGE: a package for automatic evaluation of summaries"
TASKS = ("AS", "MT", "DG", "IC", "QA", "D2T", "QG")
LOWER_CASE = ("rouge", "rouge155")  # tokenisers whose words have no capitals
MEASURES = ("precision", "recall", "f")

ReferenceCounts = npt.NDArray[np.int64] | None  # of each segment, where averages depend on it
References = Literal["average", "best", "jackknife", "jackknife-average"]


@dataclass(frozen=True)
class Profile:
    """What a tool does that options do not say."""

    tokenizer: str
    lowercase: bool
    stem: str
    references: str
    beta: float | None = None
    official: bool = False  # ROUGE-1.5.5's rounding, resampling and slips


PROFILES = {
    "plain": Profile("unicode", True, "rouge", "average"),
    "rouge155": Profile("rouge155", False, "rouge155", "average", official=True),
    "rouge-score": Profile("rouge", True, "rouge-score", "best"),
    # pycocoevalcap: the best precision and the best recall, maybe of two references.
    "coco": Profile("each-blank", False, "none", "separate", beta=1.2),
}


@dataclass(frozen=True, kw_only=True)
class Rouge(KernelMetric[ReferenceCounts]):
    """What the metrics of the ROUGE family share: options, profiles and averages."""

    profile: Literal["plain", "rouge155", "rouge-score", "coco"] = option(
        "plain", "the paper's formulas, or what ROUGE-1.5.5, rouge-score or pycocoevalcap do"
    )
    tokenizer: str | None = option(None, "in place of the profile's")
    stem: bool = option(False, "compare stems of words with more than three letters")
    stop: bool = option(False, "leave out the stop words of the SMART list")
    max_words: int = option(
        0, "look at so many words of each text only; 0: at all", low=0, high=LARGEST
    )
    max_bytes: int = option(
        0, "look at so many bytes of each text only; 0: at all", low=0, high=LARGEST
    )
    references: References | None = option(
        None, "sums over references, the best one, or the same leaving each out in turn"
    )
    measure: Literal["f", "recall", "precision"] = option("f", "which of the three is the score")
    alpha: float = option(0.5, "weight of precision in F; recall has the rest", low=0.0, high=1.0)
    beta: float | None = option(None, "in place of alpha: F's beta", low=0.0, high=1e6)
    average: Literal["segments", "tokens"] = option(
        "segments", "mean of the segments' scores, or the score of the summed counts"
    )
    lowercase: bool | None = option(None, "ignore case; none: as the profile does")
    confidence: float = option(
        95.0, "of the limits that ROUGE-1.5.5 prints with its averages, in percent", low=0, high=100
    )

    weight: ClassVar[float] = 1.0  # of runs of words, for ROUGE-W

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preparation()
        if self.lowercase is False and (self.tokenizer or self._profile.tokenizer) in LOWER_CASE:
            raise SpecError(
                f"lowercase=no: profile={self.profile} knows words in lower case only; give "
                "tokenizer=unicode, too"
            )
        if self.max_words and self.max_bytes:
            raise SpecError("max_words and max_bytes: give one of them")

    @property
    def _profile(self) -> Profile:
        return PROFILES[self.profile]

    @property
    def _references(self) -> str:
        return self.references or self._profile.references

    @property
    def _alpha(self) -> float:
        beta = self._profile.beta if self.beta is None else self.beta
        return self.alpha if beta is None else 1 / (1 + beta**2)

    @property
    def _restart(self) -> bool:
        """Return whether the tool's slip with byte limits shows; in ROUGE-L and ROUGE-W only."""
        return False

    def preparation(self) -> Preparation:
        """Return how texts are read: alike in all of the family, so that they share one pass."""
        profile = self._profile
        return Preparation(
            self.tokenizer or profile.tokenizer,
            lowercase=profile.lowercase if self.lowercase is None else self.lowercase,
            stem=profile.stem if self.stem else "none",
            stop="smart" if self.stop else "none",
            lines=True,
            max_words=self.max_words,
            max_bytes=self.max_bytes,
            restart=self._restart,
            never_empty=self.profile == "coco",
        )

    def fit(self, corpus: Corpus) -> ReferenceCounts:
        """Return how many references segments have, where the average depends on it."""
        if self._profile.official and self._references.startswith("jackknife"):
            return corpus.references.counts
        return None

    def whole_only(self) -> str:
        """Say that the averages of ROUGE-1.5.5 are of resampled segments."""
        return "ROUGE-1.5.5 averages resamples of all segments" if self._profile.official else ""

    def _options(self, state: ReferenceCounts) -> native.RougeOptions:
        return native.RougeOptions(
            references=self._references,
            best_by="f" if self.profile == "rouge-score" else self.measure,
            alpha=self._alpha,
            rounded=self._profile.official,
            evaluations=0 if state is None else int(state.max(initial=0)),
        )

    def finish(self, rows: Floats, state: ReferenceCounts) -> Floats:
        """Add, for ROUGE-1.5.5, columns of what its averages differ from ours by, and of its
        limits.
        """
        if not self._profile.official:
            return rows
        own, n = rows[:, :7], len(rows)
        added = np.zeros((n, 9))
        # Of a part of a corpus, which the tool does not know, there is nothing to resample.
        if n > 1 and (state is None or len(state) == n):
            evaluations = self._evaluations(rows, state)
            sums = rouge155.resampled(evaluations, self._scores)
            means = self._scores(own.sum(axis=0))
            for m in range(3):
                printed = rouge155.average(sums[:, m], self.confidence)
                limits = printed.low, printed.high
                added[:, [m, 3 + 2 * m, 4 + 2 * m]] = np.divide(
                    [printed.mean - means[m], *limits], n
                )
        return np.hstack([own, added])

    def separable(self, rows: Floats) -> Floats:
        """Return rows without those columns: they are the tool's resampling noise, and of no
        segment.
        """
        if not self._profile.official:
            return rows
        own = rows.copy()
        own[:, 7:] = 0
        return own

    def _evaluations(self, rows: Floats, state: ReferenceCounts) -> Floats:
        """Return what the tool draws from: segments, or segments without one reference, by their
        names.
        """
        if state is None or (state <= 1).all():
            order = rouge155.sorted_as_text([str(i + 1) for i in range(len(rows))])
            return rows[order, :7]
        names, evaluations = [], []
        for i, count in enumerate(state):
            for k in range(count):
                names.append(f"{i + 1}-{k + 1}")
                scores = rows[i, :3] if count == 1 else rows[i, 7 + 3 * k : 10 + 3 * k]
                evaluations.append([*scores, 1.0, *rows[i, 4:7]])
        return np.array(evaluations)[rouge155.sorted_as_text(names)]

    def _scores(self, totals: Floats) -> Floats:
        """Return precision, recall and F of summed rows: [..., k] -> [..., 3]."""
        if self.average == "segments":
            return ratio(totals[..., :3], totals[..., 3:4])
        matched = totals[..., 4:5]
        shares = ratio(matched, totals[..., [6, 5]])
        # ROUGE-1.5.5 forgets to undo ROUGE-W's weighting here.
        precision, recall = np.moveaxis(
            shares if self._profile.official else shares ** (1 / self.weight), -1, 0
        )
        f = weighted_harmonic_mean(recall, precision, self._alpha)
        return np.stack([precision, recall, f], axis=-1)

    def _all_scores(self, totals: Floats) -> Floats:
        scores = self._scores(totals)
        if not self._profile.official:
            return scores
        return scores + np.where(totals[..., 3:4] > 1, totals[..., 7:10], 0.0)

    def score(self, totals: Floats) -> Floats:
        """Return the measure that the options ask for."""
        scores: Floats = self._all_scores(totals)[..., MEASURES.index(self.measure)]
        return scores

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return all three measures; with ROUGE-1.5.5, also the limits of its intervals."""
        found = dict(zip(MEASURES, self._all_scores(totals).tolist(), strict=True))
        limits = totals[10:16] if self._profile.official and totals[3] > 1 else totals[:0]
        # Without numbers, nothing was resampled, unless there are none because nothing matches.
        if limits.any() or (limits.size and not any(found.values())):
            names = (f"{measure}_{end}" for measure in MEASURES for end in ("low", "high"))
            found.update(zip(names, limits.round(5).tolist(), strict=True))
        return found
