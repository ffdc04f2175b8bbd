"""BLEU: clipped n-gram precision with a brevity penalty (Papineni et al., 2002)."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.metric import Info, KernelMetric
from nlgauge.core.options import option
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.metrics.ngram import smoothing
from nlgauge.metrics.ngram.smoothing import Smoothing
from nlgauge.text.preparation import BOUNDARIES_HELP, STEM_HELP, STOP_HELP, Boundaries

RefLength = Literal["closest", "shortest", "average", "avg_nearest", "best"]

# NLTK's stand-in for the precision of an order without a match: the smallest normal double.
NLTK_TINY = sys.float_info.min


@dataclass(frozen=True, kw_only=True)
class BLEU(KernelMetric):
    """BLEU, with every option of sacreBLEU and the variants of the literature."""

    info: ClassVar[Info] = Info(
        name="bleu",
        title="Bilingual Evaluation Understudy",
        family="ngram",
        cell="CF·U·word-ngram",
        tasks=("MT", "AS", "DG", "IC", "QA", "D2T", "QG"),
        criteria=("adequacy", "fluency"),
        perfect_on_itself=True,
        perfect_among_many=True,
        paper="Papineni et al. (2002), BLEU: automatic evaluation of machine translation",
        checked_against="sacreBLEU 2.6.0; mteval-v14, multi-bleu, NLTK 3.10.4, pycocoevalcap 1.2",
    )

    tokenizer: str = option(
        "13a", "how texts are split into words: see `nlgauge metrics --tokenizers`"
    )
    lowercase: bool = option(False, "ignore case")
    max_order: int = option(4, "longest n-grams counted", low=1, high=9)
    smooth: Smoothing = option(
        "exp",
        "what to do with orders that have no match; mteval: exp, and orders the text is too short "
        "for count as matched; coco: tiny constants instead; method4 to method7: those of Chen and "
        "Cherry (2014), whose 0 to 3 are none, floor, add-k and exp",
    )
    smooth_value: float | None = option(
        None,
        "of floor (0.1), add-k (1), eps (0.001), method4, method6 and method7 (5)",
        low=0.0,
        high=1e6,
    )
    effective_order: bool = option(False, "leave out orders too long for the text: for sentences")
    mean: Literal["geometric", "arithmetic"] = option("geometric", "of the n-gram precisions")
    weights: tuple[float, ...] | None = option(
        None, "of the orders, like 0.5:0.5; none: uniform", low=0.0, high=1e6
    )
    ref_length: RefLength = option("closest", "which reference length the penalty looks at")
    boundaries: Boundaries = option("none", BOUNDARIES_HELP)
    stem: str = option("none", STEM_HELP)
    stop: str = option("none", STOP_HELP)
    profile: Literal["sacrebleu", "nltk"] = option(
        "sacrebleu",
        "nltk: every segment counts as having at least one n-gram of each order, orders without a "
        "match have a tiny precision, and a corpus takes the 5-grams of method5 and method7 from "
        "its last segment",
    )

    weighted: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preparation()
        if self.weights is not None and len(self.weights) != self.max_order:
            raise SpecError(
                f"weights: {len(self.weights)} given for max_order={self.max_order}; give one each"
            )
        if self.weights is not None and sum(self.weights) == 0:
            raise SpecError(f"weights {self.weights}: must not be all 0")
        least = smoothing.LEAST_VALUE.get(self.smooth, 0.0)
        if self.smooth_value is not None and self.smooth_value < least:
            raise SpecError(
                f"smooth_value={self.smooth_value}: must be at least {least} for {self.smooth}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the range of scores, which some smoothings extend."""
        if self.smooth in smoothing.UNBOUNDED:
            return (0.0, math.inf)
        if self.smooth == "method5":
            return (0.0, 4 / 3)  # of a text of unigrams alone that all match
        return (0.0, max(1.0, self._value() if self.smooth in smoothing.TAKEN_AS_IS else 0.0))

    @property
    def _orders(self) -> int:
        """Return how many orders the kernel counts."""
        above = smoothing.ABOVE if self.smooth in smoothing.AVERAGED else 0
        return max(self.max_order, above)

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are |h|, reference length, matches 1..N, n-grams 1..N;
        for NLTK what `finish` adds.

        N is at least 5 where 5-grams are looked at.
        """
        return native.Bleu(
            order=self._orders,
            ref_length=self.ref_length,
            start=self.boundaries in ("start", "both"),
            end=self.boundaries in ("end", "both"),
            weighted=self.weighted,
        )

    def finish(self, rows: Floats, state: None) -> Floats:
        """Append NLTK's columns: which orders a segment lacks (1..N), 1, and, of the last segment
        only, matches and number of 5-grams.
        """
        if self.profile != "nltk":
            return rows
        n = self._orders
        more = np.zeros((len(rows), n + 3))
        more[:, :n] = rows[:, 2 + n :] == 0
        more[:, n] = 1
        if self.smooth in smoothing.AVERAGED and len(rows):
            fifth = rows[-1, [2 + smoothing.ABOVE - 1, 2 + n + smoothing.ABOVE - 1]]
            more[-1, n + 1 :] = fifth[0], max(fifth[1], 1)
        return np.hstack([rows, more])

    def separable(self, rows: Floats) -> Floats:
        """Return rows without NLTK's preference for the last segment."""
        if self.profile != "nltk":
            return rows
        separable = rows.copy()
        separable[:, -2:] = 0
        return separable

    def score(self, totals: Floats) -> Floats:
        """Return the brevity penalty times the mean of the smoothed precisions."""
        precisions = self._precisions(totals)
        if self.weighted:
            # Ratings may be negative, and with them matches or the number of n-grams.
            precisions = np.where(self._counts(totals)[1] > 0, np.clip(precisions, 0, 1), 0.0)
        weights = np.ones(self.max_order) if self.weights is None else np.asarray(self.weights)
        if self.effective_order:
            weights = weights * (self._added(totals)[1] != 0)
        share = weights.sum(axis=-1, keepdims=True)
        weights = np.divide(weights, share, out=np.zeros_like(weights + share), where=share > 0)
        if self.mean == "arithmetic":
            mean = (weights * precisions).sum(axis=-1)
        else:
            used = (weights > 0) & (precisions > 0)
            logs = np.log(precisions, out=np.zeros_like(precisions), where=used)
            mean = np.exp((weights * logs).sum(axis=-1))
            if self.profile != "nltk":  # which leaves out orders without a precision
                mean = np.where(((weights > 0) & (precisions <= 0)).any(axis=-1), 0.0, mean)
        if self.smooth not in smoothing.NEVER_ZERO:
            mean = np.where((self._counts(totals)[0] != 0).any(axis=-1), mean, 0.0)
        result: Floats = np.where(totals[..., 0] > 0, self._penalty(totals) * mean, 0.0)
        return result

    def _penalty(self, totals: Floats) -> Floats:
        hyp, ref = totals[..., 0], totals[..., 1]
        if self.smooth == "coco":
            hyp, ref = hyp + smoothing.COCO_TINY, ref + smoothing.COCO_SMALL
        ratio = np.divide(ref, hyp, out=np.full(hyp.shape, np.inf), where=hyp > 0)
        penalty: Floats = np.where(hyp < ref, np.exp(1 - np.maximum(ratio, 1)), 1.0)
        return penalty

    def _value(self) -> float:
        if self.smooth_value is None:
            return smoothing.DEFAULT_VALUE.get(self.smooth, 0.0)
        return self.smooth_value

    def _counts(self, totals: Floats) -> tuple[Floats, Floats]:
        """Return matches and n-grams of each order: both [..., max_order]."""
        n, shown = self._orders, self.max_order
        return totals[..., 2 : 2 + shown], totals[..., 2 + n : 2 + n + shown]

    def _added(self, totals: Floats) -> tuple[Floats, Floats]:
        """Return the same counts, with what add-k and coco add to them."""
        return smoothing.added(self.smooth, self._value(), *self._counts(totals))

    def _precisions(self, totals: Floats) -> Floats:
        """Return the smoothed precisions of all orders: [..., max_order]."""
        matches, grams = self._counts(totals)
        if self.profile == "nltk":
            lacking = 2 + 2 * self._orders
            grams = grams + totals[..., lacking : lacking + self.max_order]
        found = smoothing.precisions(
            self.smooth,
            self._value(),
            matches=matches,
            grams=grams,
            hyp_length=totals[..., 0],
            above=self._above(totals),
        )
        if self.profile == "nltk" and self.smooth == "none":
            found = np.where(found == 0, NLTK_TINY, found)
        return found

    def _above(self, totals: Floats) -> Floats:
        """Return the precision of 5-grams, where the smoothing looks at it."""
        if self.smooth not in smoothing.AVERAGED:
            return np.zeros(totals.shape[:-1])
        n, fifth = self._orders, smoothing.ABOVE - 1
        matches, grams = totals[..., 2 + fifth], totals[..., 2 + n + fifth]
        if self.profile == "nltk":
            # corpus_bleu hands the smoothing the last hypothesis only.
            last = (totals[..., -3] > 1) & (totals[..., -1] > 0)
            matches = np.where(last, totals[..., -2], matches)
            grams = np.where(last, totals[..., -1], grams)
        above: Floats = np.divide(matches, grams, out=np.zeros(grams.shape), where=grams > 0)
        return above

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return precisions, brevity penalty, lengths and counts."""
        hyp, ref = float(totals[0]), float(totals[1])
        precisions, (matches, grams) = np.zeros(self.max_order), self._counts(totals)
        if matches.any() or self.smooth in smoothing.NEVER_ZERO:
            precisions, (matches, grams) = self._precisions(totals), self._added(totals)
        return {
            "precisions": [100 * p for p in precisions.tolist()],
            "brevity_penalty": float(self._penalty(totals)),
            "ratio": hyp / ref if ref else 0.0,
            "hyp_len": _whole(hyp),
            "ref_len": _whole(ref),
            "counts": [_whole(x) for x in matches.tolist()],
            "totals": [_whole(x) for x in grams.tolist()],
        }


def _whole(x: float) -> int | float:
    return int(x) if x == int(x) else x
