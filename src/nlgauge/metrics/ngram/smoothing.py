"""What BLEU does with orders of n-grams that have no match.

The methods are numbered as in Chen and Cherry (2014) and NLTK; none, floor, add-k and exp are
their methods 0 to 3.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Floats

Smoothing = Literal[
    "none",
    "floor",
    "add-k",
    "exp",
    "eps",
    "mteval",
    "coco",
    "method4",
    "method5",
    "method6",
    "method7",
]

# Of eps: Liu and Gildea (2005); of the others: Chen and Cherry (2014).
DEFAULT_VALUE: dict[str, float] = {
    "floor": 0.1,
    "add-k": 1.0,
    "eps": 1e-3,
    "method4": 5.0,
    "method6": 5.0,
    "method7": 5.0,
}
# With a smaller constant, method 4 could give an order without a match more than full precision.
LEAST_VALUE = {"method4": 2.0, "method7": 2.0}
# With these, the value itself takes the place of matches or of a precision.
TAKEN_AS_IS = ("floor", "eps")
# What these put in place of precisions may exceed 1, and so may scores.
UNBOUNDED = ("method4", "method6", "method7")
# What the caption tools (pycocoevalcap 1.2) add to numerators and denominators.
COCO_TINY, COCO_SMALL = 1e-15, 1e-9
# With these, texts without any match do not score 0.
NEVER_ZERO = ("mteval", "coco")
# With these, the precision of an order is averaged with its neighbours', that of the longest with
# the one of 5-grams.
AVERAGED = ("method5", "method7")
ABOVE = 5


def added(smooth: Smoothing, value: float, matches: Floats, grams: Floats) -> tuple[Floats, Floats]:
    """Return matches and n-grams of each order with what the smoothing adds to both: [..., N]."""
    if smooth == "coco":
        return matches + COCO_TINY, grams + COCO_SMALL
    if smooth == "add-k":
        more = np.where(np.arange(matches.shape[-1]) > 0, value, 0.0)
        return matches + more, grams + more
    return matches, grams


def precisions(
    smooth: Smoothing,
    value: float,
    *,
    matches: Floats,
    grams: Floats,
    hyp_length: Floats,
    above: Floats,
) -> Floats:
    """Return smoothed precisions: [..., N].

    `above` is the precision of 5-grams, for the smoothings that average.
    """
    matches, grams = added(smooth, value, matches, grams)
    counted = grams != 0
    result: Floats = np.divide(matches, grams, out=np.zeros_like(grams), where=counted)
    zero = counted & (matches == 0)
    if smooth in ("exp", "mteval"):
        # The k-th order without a match counts as 1 / 2^k matches.
        result = _replaced(result, 0.5 ** np.cumsum(zero, axis=-1), grams, zero)
        if smooth == "mteval":
            result = np.where(counted, result, 1.0)
    elif smooth == "floor":
        result = _replaced(result, np.full_like(grams, value), grams, zero)
    elif smooth == "eps":
        result = np.where(result == 0, value, result)
    elif smooth in ("method4", "method7"):
        # As exp, in proportion to the logarithm of the length; nothing for a single word.
        share = np.log(np.maximum(hyp_length, 1))[..., None] / value
        result = _replaced(result, share * 0.5 ** np.cumsum(zero, axis=-1), grams, zero)
    elif smooth == "method6":
        orders = np.arange(1, grams.shape[-1] + 1)
        there = np.where(hyp_length[..., None] >= orders, grams, 0)  # NLTK's "at least 1" is not
        result = _interpolated(result, matches, there, value)
    return _averaged(result, above) if smooth in AVERAGED else result


def _replaced(
    values: Floats, matches: Floats, grams: Floats, where: npt.NDArray[np.bool_]
) -> Floats:
    replaced: Floats = np.divide(matches, grams, out=values, where=where)
    return replaced


def _averaged(values: Floats, above: Floats) -> Floats:
    """Return the mean of an order's precision, the averaged one below and the plain one above."""
    result = np.empty_like(values)
    below = values[..., 0] + 1
    following = np.concatenate([values[..., 1:], above[..., None]], axis=-1)
    for n in range(values.shape[-1]):
        below = result[..., n] = (below + values[..., n] + following[..., n]) / 3
    return result


def _interpolated(values: Floats, matches: Floats, grams: Floats, weight: float) -> Floats:
    """Return precisions from the third order on with a prior: the decline of the two below,
    continued.
    """
    result = values.copy()
    for n in range(2, values.shape[-1]):
        one, two = result[..., n - 1], result[..., n - 2]
        prior = np.divide(one**2, two, out=np.zeros_like(two), where=two > 0)
        size = grams[..., n] + weight
        share = matches[..., n] + weight * prior
        result[..., n] = np.divide(share, size, out=np.zeros_like(size), where=size > 0)
    return result
