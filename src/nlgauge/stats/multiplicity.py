"""Many comparisons at once: what becomes of the error, and how to correct for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import numpy as np

from nlgauge.core.facts.choices import Correction
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats

CORRECTIONS: tuple[Correction, ...] = get_args(Correction)


def experiment_wise_error(level: float, comparisons: int) -> float:
    """Return the chance of at least one false alarm among independent comparisons at `level`
    each.
    """
    return 1 - (1 - level) ** comparisons


def sidak_level(error: float, comparisons: int) -> float:
    """Return the level for each comparison that keeps the experiment-wise error at `error`."""
    return float(1 - (1 - error) ** (1 / comparisons))


def adjust(p_values: Sequence[float] | Floats, correction: Correction) -> Floats:
    """Return p-values that may be compared with the level of the whole experiment."""
    p = np.asarray(p_values, np.float64)
    k = p.size
    if k == 0 or correction == "none":
        return p.copy()
    if correction == "sidak":
        # -expm1(k log1p(-p)) keeps small p-values that 1 - (1 - p)^k would round away
        with np.errstate(divide="ignore"):
            adjusted: Floats = -np.expm1(k * np.log1p(-p))
        return adjusted
    if correction == "bonferroni":
        return np.minimum(1.0, k * p)
    order = np.argsort(p, kind="stable")
    if correction == "holm":
        stepped = np.maximum.accumulate((k - np.arange(k)) * p[order])
    elif correction == "benjamini-hochberg":
        factors = k / np.arange(k, 0, -1)
        stepped = np.minimum.accumulate(factors * p[order][::-1])[::-1]
    else:
        raise SpecError(f"correction={correction!r}: there are none, sidak, bonferroni, holm, ...")
    result = np.empty(k)
    result[order] = np.minimum(1.0, stepped)
    return result
