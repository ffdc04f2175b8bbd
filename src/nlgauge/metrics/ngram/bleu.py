"""BLEU: clipped n-gram precision with a brevity penalty (Papineni et al., 2002), and ΔBLEU, its
version for references weighted by human ratings (Galley et al., 2015).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.errors import SpecError
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.metric import Info, KernelMetric
from nlgauge.options import option

Smoothing = Literal["none", "floor", "add-k", "exp", "eps", "mteval", "coco"]
RefLength = Literal["closest", "shortest", "average", "avg_nearest", "best"]

# Of floor and add-k: Chen and Cherry (2014); of eps: Liu and Gildea (2005).
DEFAULT_SMOOTH_VALUE: dict[str, float] = {"floor": 0.1, "add-k": 1.0, "eps": 1e-3}

# What the caption tools (pycocoevalcap 1.2) add to numerators and denominators.
COCO_TINY, COCO_SMALL = 1e-15, 1e-9
# With these, texts without any match do not score 0.
NEVER_ZERO = ("mteval", "coco")


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
        "for count as matched; coco: tiny constants instead",
    )
    smooth_value: float | None = option(None, "of floor (0.1), add-k (1) and eps (0.001)", low=0.0)
    effective_order: bool = option(False, "leave out orders too long for the text: for sentences")
    mean: Literal["geometric", "arithmetic"] = option("geometric", "of the n-gram precisions")
    weights: tuple[float, ...] | None = option(None, "of the orders, like 0.5:0.5; none: uniform")
    ref_length: RefLength = option("closest", "which reference length the penalty looks at")
    boundaries: Literal["none", "start", "end", "both"] = option(
        "none", "artificial words at the text's ends, seen by n-grams of two and more"
    )

    weighted: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preparation()
        if self.weights is not None and len(self.weights) != self.max_order:
            raise SpecError(
                f"weights: {len(self.weights)} given for max_order={self.max_order}; give one each"
            )
        if self.weights is not None and (min(self.weights) < 0 or sum(self.weights) == 0):
            raise SpecError(f"weights {self.weights}: must not be negative, nor all 0")

    def kernel(self, state: Any = None) -> Kernel:  # noqa: ARG002
        """Columns: |h|, reference length, matches 1..N, n-grams 1..N."""
        return native.Bleu(
            order=self.max_order,
            ref_length=self.ref_length,
            start=self.boundaries in ("start", "both"),
            end=self.boundaries in ("end", "both"),
            weighted=self.weighted,
        )

    def score(self, totals: Floats) -> Floats:
        """Brevity penalty times the mean of the smoothed precisions."""
        precisions, counted = self._precisions(totals)
        weights = np.ones(self.max_order) if self.weights is None else np.asarray(self.weights)
        if self.effective_order:
            weights = weights * counted
        share = weights.sum(axis=-1, keepdims=True)
        weights = np.divide(weights, share, out=np.zeros_like(weights + share), where=share > 0)
        if self.mean == "arithmetic":
            mean = (weights * precisions).sum(axis=-1)
        else:
            used = (weights > 0) & (precisions > 0)
            logs = np.log(precisions, out=np.zeros_like(precisions), where=used)
            mean = np.exp((weights * logs).sum(axis=-1))
            mean = np.where(((weights > 0) & (precisions <= 0)).any(axis=-1), 0.0, mean)
        if self.smooth not in NEVER_ZERO:
            matched = (totals[..., 2 : 2 + self.max_order] != 0).any(axis=-1)
            mean = np.where(matched, mean, 0.0)
        result: Floats = np.where(totals[..., 0] > 0, self._penalty(totals) * mean, 0.0)
        return result

    def _penalty(self, totals: Floats) -> Floats:
        hyp, ref = totals[..., 0], totals[..., 1]
        if self.smooth == "coco":
            hyp, ref = hyp + COCO_TINY, ref + COCO_SMALL
        ratio = np.divide(ref, hyp, out=np.full(hyp.shape, np.inf), where=hyp > 0)
        penalty: Floats = np.where(hyp < ref, np.exp(1 - np.maximum(ratio, 1)), 1.0)
        return penalty

    def _value(self) -> float:
        if self.smooth_value is None:
            return DEFAULT_SMOOTH_VALUE.get(self.smooth, 0.0)
        return self.smooth_value

    def _counts(self, totals: Floats) -> tuple[Floats, Floats]:
        """Matches and n-grams of each order, with what add-k adds to them: both [..., N]."""
        n = self.max_order
        matches, grams = totals[..., 2 : 2 + n], totals[..., 2 + n :]
        if self.smooth == "coco":
            return matches + COCO_TINY, grams + COCO_SMALL
        if self.smooth == "add-k":
            added = np.where(np.arange(n) > 0, self._value(), 0.0)
            return matches + added, grams + added
        return matches, grams

    def _precisions(self, totals: Floats) -> tuple[Floats, Floats]:
        """Smoothed precisions, and which orders have any n-gram: both [..., N]."""
        value = self._value()
        matches, grams = self._counts(totals)
        counted = grams != 0
        precisions = np.divide(matches, grams, out=np.zeros_like(grams), where=counted)
        zero = counted & (matches == 0)
        if self.smooth in ("exp", "mteval"):
            # The k-th order without a match counts as 1 / 2^k matches.
            matches = np.where(zero, 0.5 ** np.cumsum(zero, axis=-1), matches)
            precisions = np.divide(matches, grams, out=precisions, where=counted)
            if self.smooth == "mteval":
                precisions = np.where(counted, precisions, 1.0)
        elif self.smooth == "floor":
            precisions = np.divide(value, grams, out=precisions, where=zero)
        elif self.smooth == "eps":
            precisions = np.where(precisions == 0, value, precisions)
        return precisions, counted

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Precisions, brevity penalty, lengths and counts."""
        n = self.max_order
        hyp, ref = float(totals[0]), float(totals[1])
        precisions, (matches, grams) = np.zeros(n), (totals[2 : 2 + n], totals[2 + n :])
        if matches.any() or self.smooth in NEVER_ZERO:
            precisions, (matches, grams) = self._precisions(totals)[0], self._counts(totals)
        return {
            "precisions": [100 * p for p in precisions.tolist()],
            "brevity_penalty": float(self._penalty(totals)),
            "ratio": hyp / ref if ref else 0.0,
            "hyp_len": _whole(hyp),
            "ref_len": _whole(ref),
            "counts": [_whole(x) for x in matches.tolist()],
            "totals": [_whole(x) for x in grams.tolist()],
        }


@dataclass(frozen=True, kw_only=True)
class DeltaBLEU(BLEU):
    """BLEU whose matches count by the human rating of the reference they are found in."""

    info: ClassVar[Info] = Info(
        name="delta-bleu",
        title="Discriminative BLEU (ΔBLEU)",
        family="ngram",
        cell="CF·U·word-ngram",
        tasks=("DG",),
        bounds=(0.0, 1.0),
        needs=("references", "reference_weights"),
        paper="Galley et al. (2015), deltaBLEU: a discriminative metric for generation tasks",
        checked_against="sacreBLEU 2.6.0 where all weights are 1; hand calculation otherwise",
    )

    smooth: Smoothing = option("none", "what to do with orders that have no match")

    weighted: ClassVar[bool] = True


def _whole(x: float) -> int | float:
    return int(x) if x == int(x) else x
